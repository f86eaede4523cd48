package dev.agentsessions.session.contract;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;

/**
 * Allows every access.
 *
 * @param caller the name of the caller
 */
public record OpenAccessPolicy(String caller) implements AccessPolicy {

	@Override
	public void check(Access access, SessionName name) {
	}

	@Override
	public void check(Access access, StateOwner owner) {
	}

	@Override
	public void checkRole(Access access, String appName) {
	}

	@Override
	public Optional<String> beneficiary() {
		return Optional.of(this.caller);
	}

	@Override
	public Optional<String> onlyUser() {
		return Optional.empty();
	}

	@Override
	public Secrets secrets() {
		return Secrets.WHOLE;
	}

	@Override
	public Predicate<Instant> credentials() {
		return (now) -> true;
	}

	@Override
	public boolean mayAccessApp(String appName) {
		return true;
	}

}
