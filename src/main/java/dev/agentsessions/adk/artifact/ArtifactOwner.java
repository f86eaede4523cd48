package dev.agentsessions.adk.artifact;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.web.PathVariables;

/**
 * Whose artifacts a path names.
 *
 * @param user the user
 * @param session the session; {@code null} if the path has none
 */
record ArtifactOwner(StateOwner user, @Nullable SessionKey session) {

	static ArtifactOwner of(Map<String, String> path) {
		StateOwner user = new StateOwner(PathVariables.required(path, "appName"),
				PathVariables.required(path, "userId"));
		String sessionId = path.get("sessionId");
		return new ArtifactOwner(user, (sessionId != null) ? new SessionKey(user, sessionId) : null);
	}

	/** Returns an artifact by its name. */
	ArtifactName artifact(String name) {
		return (this.session != null) ? ArtifactName.of(this.session, name) : ArtifactName.of(this.user, name);
	}

}
