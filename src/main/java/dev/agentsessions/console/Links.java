package dev.agentsessions.console;

import java.nio.charset.StandardCharsets;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.UriUtils;

import dev.agentsessions.session.SessionKey;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.SessionPath;

/**
 * The addresses of pages. Whatever a name has in it, it is one step of a path: all but
 * letters, digits and {@code - . _ ~} is percent-encoded. No name is ever {@code .} or
 * {@code ..}, so nothing leads elsewhere.
 *
 * @param contextPath where the service is, blank for the root
 */
record Links(String contextPath) {

	static Links of(HttpServletRequest request) {
		return new Links(request.getContextPath());
	}

	String home() {
		return this.contextPath + ConsoleAccess.PATH;
	}

	String app(String appName) {
		return home() + "/apps/" + encode(appName);
	}

	String users(String appName) {
		return app(appName) + "/users";
	}

	String user(String appName, String userId) {
		return users(appName) + "/" + encode(userId);
	}

	String session(SessionKey key) {
		return user(key.appName(), key.userId()) + "/sessions/" + encode(key.sessionId());
	}

	/** A session as it was after an event; {@code null} for as it is. */
	String session(SessionKey key, @Nullable Long at) {
		return session(key) + at(at);
	}

	/** The parameter that says after which event; blank for the newest one. */
	static String at(@Nullable Long at) {
		return (at != null) ? "?at=" + at : "";
	}

	String event(SessionKey key, String eventId) {
		return session(key) + "/events/" + encode(eventId);
	}

	/**
	 * A command that reads the same over the API.
	 * @param rest what follows the path of the session, encoded
	 */
	String curl(HttpServletRequest request, SessionKey key, String rest) {
		String host = ServletUriComponentsBuilder.fromContextPath(request).replacePath(null).build().toUriString();
		String who = (request.getUserPrincipal() != null) ? "-H \"Authorization: Bearer $AGENT_SESSIONS_API_KEY\" "
				: "";
		return "curl " + who + "'" + host + SessionPath.of(key, request) + rest + "'";
	}

	static String encode(String name) {
		return UriUtils.encode(name, StandardCharsets.UTF_8);
	}

}
