package dev.agentsessions.session;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.state.StateScope;

/**
 * An app, or one of its users: the owner of shared state, sessions, facts and usage. Its
 * names follow the rules.
 *
 * @param appName the app, 1 to 512 characters
 * @param userId the user, 1 to 512 characters, also / \\ ; and %; {@code null} for the
 * app itself
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
