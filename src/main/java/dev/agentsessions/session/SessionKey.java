package dev.agentsessions.session;

import java.nio.charset.StandardCharsets;

/**
 * What names a session. The same session id may exist for two users.
 *
 * @param appName the app, 1 to 512 characters
 * @param userId the user, 1 to 512 characters
 * @param sessionId the session, 1 to 512 characters, surrounding white space removed; all
 * three together at most 2,500 bytes in UTF-8
 */
public record SessionKey(String appName, String userId, String sessionId) {

	/** An entry of an index has room for so many bytes of names. */
	private static final int MAX_BYTES = 2500;

	/**
	 * Creates a key.
	 * @throws SessionException.InvalidArgument if one of the names is not allowed
	 */
	public SessionKey {
		Names.check("appName", appName);
		Names.check("userId", userId);
		sessionId = Names.check("sessionId", sessionId.strip());
		if ((appName + userId + sessionId).getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
			throw new SessionException.InvalidArgument("appName, userId and sessionId",
					"must together have at most " + MAX_BYTES + " bytes in UTF-8");
		}
	}

	/** The owner of the state that all users of the app share. */
	public StateOwner app() {
		return new StateOwner(this.appName, null);
	}

	/** The owner of the state that all sessions of the user share. */
	public StateOwner user() {
		return new StateOwner(this.appName, this.userId);
	}

}
