package dev.agentsessions.session;

import java.util.List;
import java.util.Objects;

/**
 * The names of a session: of its app, its user and its own. Two users may have sessions
 * with the same id.
 *
 * @param user the user, whose sessions share state
 * @param sessionId the session, 1 to 512 characters, surrounding white space removed
 */
public record SessionName(StateOwner user, String sessionId) {

	/**
	 * Creates the name of a session of a user.
	 * @throws SessionException.InvalidArgument if the id is not allowed
	 */
	public SessionName {
		Objects.requireNonNull(user.userId());
		sessionId = Identifiers.check("sessionId", sessionId.strip());
	}

	/**
	 * Creates the name of a session.
	 * @throws SessionException.InvalidArgument if one of the names is not allowed
	 */
	public SessionName(String appName, String userId, String sessionId) {
		this(new StateOwner(appName, userId), sessionId);
	}

	public String appName() {
		return this.user.appName();
	}

	public String userId() {
		return Objects.requireNonNull(this.user.userId());
	}

	/** Returns the owners of the state that the session shares with others. */
	public List<StateOwner> owners() {
		return List.of(app(), this.user);
	}

	/** Returns the owner of the state that all users of the app share. */
	public StateOwner app() {
		return new StateOwner(appName(), null);
	}

}
