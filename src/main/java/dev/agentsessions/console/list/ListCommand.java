package dev.agentsessions.console.list;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import dev.agentsessions.console.view.Links;

/** Makes the curl commands that read the same lists over the API. */
final class ListCommand {

	private ListCommand() {
	}

	/**
	 * Returns the command that lists sessions; without a user, the sessions of all users.
	 */
	static String sessions(String appName, @Nullable String userId, ListParameters parameters,
			HttpServletRequest request) {
		StringBuilder path = new StringBuilder(app(appName));
		if (userId != null) {
			path.append("/users/").append(Links.encode(userId));
		}
		path.append("/sessions?order=desc&includeState=false");
		add(path, "prefix", parameters.prefix());
		add(path, "label", parameters.label());
		add(path, "from", withTime(parameters.from(), "T00:00:00Z"));
		add(path, "until", withTime(parameters.until(), "T23:59:59.999999Z"));
		add(path, "error", Boolean.TRUE.equals(parameters.error()) ? "true" : null);
		add(path, "tool", parameters.tool());
		add(path, "author", parameters.author());
		add(path, "waiting", Boolean.TRUE.equals(parameters.waiting()) ? "true" : null);
		return Links.of(request).curl(request, path.toString());
	}

	/** Returns the command that lists the users of an app. */
	static String users(String appName, HttpServletRequest request) {
		return Links.of(request).curl(request, app(appName) + "/users");
	}

	/** Returns the command that creates a session of a user. */
	static String create(String appName, String userId, HttpServletRequest request) {
		return Links.of(request)
			.curlPost(request, app(appName) + "/users/" + Links.encode(userId) + "/sessions/my-session",
					"{\"state\": {\"city\": \"Oslo\"}}");
	}

	private static String app(String appName) {
		return "/apps/" + Links.encode(appName);
	}

	private static @Nullable String withTime(@Nullable String day, String time) {
		return StringUtils.hasText(day) ? day.strip() + time : null;
	}

	private static void add(StringBuilder path, String name, @Nullable String value) {
		if (StringUtils.hasText(value)) {
			path.append('&').append(name).append('=').append(Links.encode(value));
		}
	}

}
