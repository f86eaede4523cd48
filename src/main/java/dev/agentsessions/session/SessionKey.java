package dev.agentsessions.session;

import java.util.List;

/**
 * The key of a session. Two users may have sessions with the same id.
 *
 * @param appName the app, 1 to 512 characters
 * @param userId the user, 1 to 512 characters, also / \\ ; and %
 * @param sessionId the session, 1 to 512 characters, surrounding white space removed
 */
public record SessionKey(String appName, String userId, String sessionId) {

	/**
	 * Creates a key.
	 * @throws SessionException.InvalidArgument if one of the names is not allowed
	 */
	public SessionKey {
		Identifiers.check("appName", appName);
		Identifiers.checkUser(userId);
		sessionId = Identifiers.check("sessionId", sessionId.strip());
	}

	/** Returns the owners of the state that the session shares with others. */
	public List<StateOwner> owners() {
		return List.of(app(), user());
	}

	/** Returns the owner of the state that all users of the app share. */
	public StateOwner app() {
		return new StateOwner(this.appName, null);
	}

	/** Returns the owner of the state that all sessions of the user share. */
	public StateOwner user() {
		return new StateOwner(this.appName, this.userId);
	}

}
