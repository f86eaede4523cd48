package dev.agentsessions.web;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The names in the plain path of a session.
 *
 * @param appName the app
 * @param userId the user
 * @param sessionId the session
 * @param subpath the rest of the path after the session, as in the pattern of the route
 * @param artifact the artifact; {@code null} if the path has none
 */
record PlainPath(String appName, String userId, String sessionId, String subpath, @Nullable String artifact) {

	private static final String ARTIFACTS = "/artifacts/";

	private static final String ARTIFACT_PATH = ARTIFACTS + "{artifact}";

	/**
	 * A name that stands in the path as it is and is one step of it. A colon separates an
	 * action from a name.
	 */
	private static final String NAME = "([A-Za-z0-9_~-][A-Za-z0-9_~.@-]*)";

	/**
	 * For a path that ends with an extension, Spring MVC adds a header to the answer,
	 * except for a few.
	 */
	private static final String LAST_NAME = "([A-Za-z0-9_~-]+)";

	private static final String ARTIFACT = "((?:user:)?[A-Za-z0-9_~-]+(?:\\.(?:txt|csv|json|xml|png|jpg|jpeg|gif))?)";

	private static final Pattern PATH = Pattern.compile("/apps/" + NAME + "/users/" + NAME + "/sessions/" + "(?:"
			+ LAST_NAME + "|" + NAME + "(?:" + ARTIFACTS + ARTIFACT + "|(/[a-z:]+)))");

	/** Returns the names, or {@code null} if the path is no plain path of a session. */
	static @Nullable PlainPath of(String path) {
		Matcher matcher = PATH.matcher(path);
		if (!matcher.matches()) {
			return null;
		}
		boolean ends = matcher.group(3) != null;
		String artifact = matcher.group(5);
		String subpath = (artifact != null) ? ARTIFACT_PATH : matcher.group(6);
		return new PlainPath(matcher.group(1), matcher.group(2), matcher.group(ends ? 3 : 4), ends ? "" : subpath,
				artifact);
	}

	Map<String, String> variables() {
		Map<String, String> variables = new HashMap<>(
				Map.of("appName", this.appName, "userId", this.userId, "sessionId", this.sessionId));
		if (this.artifact != null) {
			variables.put("artifact", this.artifact);
		}
		return variables;
	}

}
