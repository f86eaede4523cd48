package dev.agentsessions.security.caller;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.AccessException;

/** Knows who calls. */
@Component
public class CurrentCaller {

	private final AccessMode mode;

	CurrentCaller(AccessMode mode) {
		this.mode = mode;
	}

	/**
	 * Who makes the current request.
	 * @throws AccessException.Unauthenticated if nobody knows
	 */
	public Caller current() {
		return of(SecurityContextHolder.getContext().getAuthentication())
			.orElseThrow(() -> new AccessException.Unauthenticated("Nobody is known to call"));
	}

	/** Whether the credentials of the current request are good at a time. */
	public Predicate<Instant> credentials() {
		return (SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known)
				? known.credentials() : (now) -> true;
	}

	/** Who has been authenticated, if it is a caller of this service. */
	public Optional<Caller> of(@Nullable Authentication authentication) {
		if (this.mode.isOpen()) {
			return Optional.of(Caller.ANYBODY);
		}
		return (authentication instanceof CallerAuthentication known) ? Optional.of(known.caller()) : Optional.empty();
	}

}
