package dev.agentsessions.session.artifact;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.state.StateScope;

/**
 * The name of an artifact.
 *
 * @param user the user
 * @param session the session in which a client uses the name; {@code null} outside of
 * sessions
 * @param name 1 to 512 characters; begins with {@code user:} exactly if the artifact
 * belongs to the user
 */
public record ArtifactName(StateOwner user, @Nullable SessionName session, String name) {

	/** The beginning of names that belong to the user. */
	public static final String USER_PREFIX = StateScope.USER.qualify("");

	private static final String FIELD = "filename";

	/**
	 * Returns the artifact that a session knows by a name.
	 * @throws SessionException.InvalidArgument if the name is not allowed
	 */
	public static ArtifactName of(SessionName session, String name) {
		return new ArtifactName(session.user(), session, check(name));
	}

	/**
	 * Returns an artifact of a user.
	 * @param name with or without its prefix
	 * @throws SessionException.InvalidArgument if the name is not allowed
	 */
	public static ArtifactName of(StateOwner user, String name) {
		return new ArtifactName(user, null, check(name.startsWith(USER_PREFIX) ? name : USER_PREFIX + name));
	}

	private static String check(String name) {
		Identifiers.checkText(FIELD, name);
		String path = name.startsWith(USER_PREFIX) ? name.substring(USER_PREFIX.length()) : name;
		for (String segment : path.split("/", -1)) {
			if (segment.isBlank() || segment.equals(".") || segment.equals("..")) {
				throw new SessionException.InvalidArgument(FIELD, "must not have a part that is empty, '.' or '..'");
			}
		}
		return name;
	}

	/** Returns the session that the artifact belongs to; empty if it is the user's. */
	public Optional<SessionName> owner() {
		return this.name.startsWith(USER_PREFIX) ? Optional.empty() : Optional.ofNullable(this.session);
	}

}
