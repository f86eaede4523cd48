package dev.agentsessions.web.direct;

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
 * @param subpath the rest of the path after the session
 */
record SessionNames(String appName, String userId, String sessionId, String subpath) {

	/**
	 * A name that stands in the path as it is and is one step of it. A colon separates an
	 * action from a name.
	 */
	private static final String NAME = "([A-Za-z0-9_~-][A-Za-z0-9_~.@-]*)";

	/** For a path that ends with an extension, Spring MVC adds a header to the answer. */
	private static final String LAST_NAME = "([A-Za-z0-9_~-]+)";

	private static final Pattern PATH = Pattern
		.compile("/apps/" + NAME + "/users/" + NAME + "/sessions/" + "(?:" + LAST_NAME + "|" + NAME + "(/[a-z:]+))");

	/** Returns the names, or {@code null} if the path is no plain path of a session. */
	static @Nullable SessionNames of(String path) {
		Matcher matcher = PATH.matcher(path);
		if (!matcher.matches()) {
			return null;
		}
		boolean ends = matcher.group(3) != null;
		return new SessionNames(matcher.group(1), matcher.group(2), matcher.group(ends ? 3 : 4),
				ends ? "" : matcher.group(5));
	}

	Map<String, String> variables() {
		return Map.of("appName", this.appName, "userId", this.userId, "sessionId", this.sessionId);
	}

}
