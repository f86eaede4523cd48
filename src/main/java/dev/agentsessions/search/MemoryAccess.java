package dev.agentsessions.search;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.Secrets;

/** Decides which facts the caller of the current request may read and write. */
@Component
public class MemoryAccess {

	private final AccessPolicy policy;

	MemoryAccess(AccessPolicy policy) {
		this.policy = policy;
	}

	/** Returns how the caller sees secrets. */
	public Secrets secrets() {
		return this.policy.secrets();
	}

	/**
	 * Refuses facts that the caller may not access. Facts of other texts than a user are
	 * for callers that may access all users of the app.
	 * @throws AccessException.Forbidden if the caller may not access them
	 */
	public void check(Access access, MemoryScope scope) {
		scope.user().ifPresentOrElse((user) -> this.policy.check(access, user), () -> {
			this.policy.checkRole(access, scope.appName());
			if (this.policy.onlyUser().isPresent()) {
				throw new AccessException.Forbidden(
						"This scope is not yours; yours is " + MemoryScope.APP_NAME + " and " + MemoryScope.USER_ID);
			}
		});
	}

}
