package dev.agentsessions.session;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.state.StateScope;

/**
 * An app, or one of its users: the owner of shared state, sessions, facts and usage.
 *
 * @param appName the app
 * @param userId the user, {@code null} for the state that all users of the app share
 */
public record StateOwner(String appName, @Nullable String userId) {

	public StateOwner {
		Identifiers.check("appName", appName);
		if (userId != null) {
			Identifiers.checkUser(userId);
		}
	}

	public StateScope scope() {
		return (this.userId == null) ? StateScope.APP : StateScope.USER;
	}

}
