package dev.agentsessions.adk;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

import org.springframework.web.util.UriUtils;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;

/** The sessions of a user over ADK's HTTP API, in an app that no other test uses. */
public final class Api {

	private final Http http;

	private final String app;

	private final String user;

	public Api(Http http) {
		this(http, "app-" + UUID.randomUUID(), "alice");
	}

	private Api(Http http, String app, String user) {
		this.http = http;
		this.app = app;
		this.user = user;
	}

	/** The same app for another user. */
	public Api as(String otherUser) {
		return new Api(this.http, this.app, otherUser);
	}

	public Http http() {
		return this.http;
	}

	public String app() {
		return this.app;
	}

	public String appPath() {
		return "/apps/" + encode(this.app);
	}

	public String userPath() {
		return appPath() + "/users/" + encode(this.user);
	}

	public String sessionsPath() {
		return userPath() + "/sessions";
	}

	public String sessionPath(String id) {
		return sessionsPath() + "/" + encode(id);
	}

	public String eventsPath(String id) {
		return sessionPath(id) + "/events";
	}

	/** Creates a session; the body may be written with single quotes. */
	public Answer create(String body) {
		return this.http.post(sessionsPath(), Json.of(body));
	}

	/** Creates a session with an id in the path. */
	public Answer create(String id, String body) {
		return this.http.post(sessionPath(id), Json.of(body));
	}

	public Answer get(String id) {
		return this.http.get(sessionPath(id));
	}

	public Answer get(String id, String query) {
		return this.http.get(sessionPath(id) + "?" + query);
	}

	public Answer list(String query) {
		return this.http.get(sessionsPath() + "?" + query);
	}

	/** Changes a session; the body may be written with single quotes. */
	public Answer update(String id, String body, String... headers) {
		return this.http.patch(sessionPath(id), Json.of(body), headers);
	}

	public Answer delete(String id, String... headers) {
		return this.http.send("DELETE", sessionPath(id), BodyPublishers.noBody(), headers);
	}

	/** Asks for the lease of a session; the body may be written with single quotes. */
	public Answer acquire(String id, String body, String... headers) {
		return this.http.post(sessionPath(id) + ":acquire", Json.of(body), headers);
	}

	/** Takes a session back to before an invocation. */
	public Answer rewind(String id, String invocationId, String... headers) {
		return this.http.post(sessionPath(id) + ":rewind", Json.object("beforeInvocationId", invocationId), headers);
	}

	public Answer release(String id, String lease) {
		return this.http.send("POST", sessionPath(id) + ":release", BodyPublishers.noBody(), "Lease", lease);
	}

	/** Appends an event, which may be written with single quotes. */
	public Answer append(String id, String event, String... headers) {
		return this.http.post(eventsPath(id), Json.of(event), headers);
	}

	/** Appends an event, which may be written with single quotes, as a batch. */
	public Answer batch(String id, String event, String... headers) {
		return this.http.post(eventsPath(id) + ":batch", Json.of("{'events': [" + event + "]}"), headers);
	}

	/** Appends an event with the last update time as the precondition. */
	public Answer appendAfter(String id, String lastUpdateTime, String event) {
		return this.http.post(eventsPath(id) + "?lastUpdateTime=" + encode(lastUpdateTime), Json.of(event));
	}

	public Answer events(String id, String query) {
		return this.http.get(eventsPath(id) + "?" + query);
	}

	public Answer event(String id, String eventId) {
		return this.http.get(eventsPath(id) + "/" + encode(eventId));
	}

	/** Fills a template, which is taken as it is. */
	public Answer render(String id, String template) {
		return this.http.post(sessionPath(id) + ":render", Json.object("template", template));
	}

	public static String encode(String text) {
		return UriUtils.encode(text, StandardCharsets.UTF_8);
	}

}
