package dev.agentsessions.session.contract;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;

/** Lets everybody do everything. */
public class Everybody implements AccessPolicy {

	@Override
	public void check(Access access, SessionKey key) {
	}

	@Override
	public void check(Access access, StateOwner owner) {
	}

	@Override
	public void checkRole(Access access, String appName) {
	}

	@Override
	public String caller() {
		return "anybody";
	}

	@Override
	public Optional<String> onlyUser() {
		return Optional.empty();
	}

	@Override
	public Predicate<Instant> credentials() {
		return (now) -> true;
	}

	@Override
	public boolean knows(String appName) {
		return true;
	}

}
