package dev.agentsessions.security;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

import dev.agentsessions.security.Caller.CallerAuthentication;
import dev.agentsessions.session.AccessPolicy.AccessException;

/** Finds the caller of the current request. */
@Component
public class CurrentCaller {

	private final AccessMode mode;

	CurrentCaller(AccessMode mode) {
		this.mode = mode;
	}

	/**
	 * Returns the caller of the current request.
	 * @throws AccessException.Unauthenticated if the caller is unknown
	 */
	public Caller current() {
		return find().orElseThrow(() -> new AccessException.Unauthenticated("The caller is unknown"));
	}

	/** Returns the caller of the current request; empty if it is unknown. */
	Optional<Caller> find() {
		return of(SecurityContextHolder.getContext().getAuthentication());
	}

	/**
	 * Returns a test whether the credentials of the current request are valid at a time.
	 */
	public Predicate<Instant> credentialsValidAt() {
		return (SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known)
				? known.credentialsValidAt() : (now) -> true;
	}

	/**
	 * Returns the caller of an authentication; empty if it is not a caller of this
	 * service.
	 */
	public Optional<Caller> of(@Nullable Authentication authentication) {
		if (this.mode.isOpen()) {
			return Optional.of(Caller.ANONYMOUS);
		}
		return (authentication instanceof CallerAuthentication known) ? Optional.of(known.caller()) : Optional.empty();
	}

	/**
	 * Whether the service authenticates callers.
	 *
	 * @param isOpen whether there is no access control: every caller has all permissions
	 * @param isLocal whether it is open because only this machine can reach the service
	 */
	public record AccessMode(boolean isOpen, boolean isLocal) {
	}

}
