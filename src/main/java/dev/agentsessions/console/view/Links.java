package dev.agentsessions.console.view;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.UriUtils;

import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.SessionPath;

/**
 * Makes the addresses of pages. A name is always one path segment: all characters but
 * letters, digits and {@code - . _ ~} are percent-encoded. No name is {@code .} or
 * {@code ..}, so no link leaves the console.
 *
 * @param contextPath the context path of the service, blank for the root
 */
public record Links(String contextPath) {

	public static Links of(HttpServletRequest request) {
		return new Links(request.getContextPath());
	}

	String home() {
		return this.contextPath + ConsoleAccess.PATH;
	}

	public String app(String appName) {
		return home() + api(appName, null);
	}

	public String users(String appName) {
		return app(appName) + "/users";
	}

	public String user(String appName, String userId) {
		return home() + api(appName, userId);
	}

	/** Returns the page of an app or a user, which lists sessions. */
	public String owner(StateOwner owner) {
		return home() + api(owner.appName(), owner.userId());
	}

	/**
	 * Returns the path of a user in the ADK dialect, which the console repeats below its
	 * own; {@code null} for the app.
	 */
	public static String api(String appName, @Nullable String userId) {
		String app = "/apps/" + encode(appName);
		return (userId != null) ? app + "/users/" + encode(userId) : app;
	}

	/** Returns the query for the sessions in a list that have an error of these days. */
	public static String errors(LocalDate from, LocalDate until) {
		return "?error=true&from=" + from + "&until=" + until;
	}

	/** Returns the page with the facts about a user. */
	public String facts(String appName, String userId) {
		return user(appName, userId) + "/facts";
	}

	public String session(SessionName name) {
		return user(name.appName(), name.userId()) + "/sessions/" + encode(name.sessionId());
	}

	/**
	 * Returns the page of a session after an event; {@code null} for its current state.
	 */
	public String session(SessionName name, @Nullable Long at) {
		return session(name) + at(at);
	}

	/** Returns the page of a session right after an event, at this event. */
	public String eventInSession(SessionName name, long seq) {
		return session(name, seq) + "#event-" + seq;
	}

	/** Returns the query that names an event; blank for {@code null}. */
	public static String at(@Nullable Long at) {
		return (at != null) ? "?at=" + at : "";
	}

	public String event(SessionName name, String eventId) {
		return session(name) + "/events/" + encode(eventId);
	}

	/** Returns the page of a version of an artifact; {@code null} for the newest. */
	public String artifact(SessionName session, String name, @Nullable Integer version) {
		return session(session) + "/artifacts/one" + artifact(name, version);
	}

	/** Returns the address of the bytes of a version. */
	public String artifactContent(SessionName session, String name, int version) {
		return session(session) + "/artifacts/content" + artifact(name, version);
	}

	private static String artifact(String name, @Nullable Integer version) {
		return "?name=" + encode(name) + ((version != null) ? "&version=" + version : "");
	}

	/**
	 * Returns a curl command that reads the same data over the API.
	 * @param rest the rest of the path and the query after the session, encoded
	 */
	public String curl(HttpServletRequest request, SessionName name, String rest) {
		return command(request, "", SessionPath.of(name, request) + rest);
	}

	/**
	 * Returns a curl command that reads data over the API.
	 * @param path the path and the query, encoded
	 */
	public String curl(HttpServletRequest request, String path) {
		return command(request, "", this.contextPath + path);
	}

	/** Returns a curl command that creates a session of a user. */
	public String curlCreate(HttpServletRequest request, String appName, String userId) {
		String path = this.contextPath + api(appName, userId) + "/sessions/my-session";
		return curlPost(request, path, "{\"state\": {\"city\": \"Oslo\"}}");
	}

	/**
	 * Returns a curl command that appends an event to a session.
	 * @param event the event as JSON, without apostrophes
	 */
	public String curlAppend(HttpServletRequest request, SessionName name, String event) {
		return curlPost(request, SessionPath.of(name, request) + "/events", event);
	}

	private static String curlPost(HttpServletRequest request, String path, String json) {
		return command(request, "-H 'Content-Type: application/json' ", path) + " -d '" + json + "'";
	}

	private static String command(HttpServletRequest request, String options, String path) {
		String host = ServletUriComponentsBuilder.fromContextPath(request).replacePath(null).build().toUriString();
		String authorization = (request.getUserPrincipal() != null)
				? "-H \"Authorization: Bearer $AGENT_SESSIONS_API_KEY\" " : "";
		return "curl " + authorization + options + "'" + host + path + "'";
	}

	public static String encode(String name) {
		return UriUtils.encode(name, StandardCharsets.UTF_8);
	}

	/** Returns the answer that leads a browser from a form to a page (303). */
	public static ResponseEntity<Void> seeOther(String page) {
		return ResponseEntity.status(HttpStatus.SEE_OTHER).location(URI.create(page)).build();
	}

}
