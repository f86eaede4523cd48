// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.adk.events.Event;
import com.google.adk.sessions.BaseSessionService;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.ListEventsResponse;
import com.google.adk.sessions.ListSessionsResponse;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionKey;
import com.google.adk.sessions.SessionNotFoundException;
import com.google.adk.sessions.State;
import com.google.common.collect.MapMaker;
import com.google.common.collect.Maps;
import com.google.common.net.PercentEscaper;
import com.google.common.util.concurrent.MoreExecutors;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.functions.Function;
import io.reactivex.rxjava3.schedulers.Schedulers;

/** The methods of ADK's session service. */
abstract class SessionMethods implements BaseSessionService {

	/** Requests the entity tag of each session. */
	private static final String WITH_REVISION = "?includeRevision=true";

	static final PercentEscaper ESCAPER = new PercentEscaper("-_.", false);

	final ServiceClient client;

	private final AgentSessionService.Builder settings;

	/** What each session object has read. The map compares sessions by identity. */
	final Map<Session, Read> reads = new MapMaker().weakKeys().makeMap();

	/**
	 * The revision that a session object has read, and the lease under which it appends.
	 */
	static final class Read {

		/**
		 * Runs the appends to one object one after the other: each append needs the tag
		 * of the append before it.
		 */
		private final Executor queue = MoreExecutors
			.newSequentialExecutor((task) -> Schedulers.io().scheduleDirect(task));

		private volatile String tag;

		volatile TurnLease lease;

	}

	SessionMethods(AgentSessionService.Builder settings) {
		this.client = new ServiceClient(settings);
		this.settings = settings;
	}

	@Override
	public Single<Session> createSession(String appName, String userId, ConcurrentMap<String, Object> state,
			String sessionId) {
		return Single.fromCallable(() -> {
			String body = WireFormat.newSession(sessionId, state);
			return read(this.client
				.send(userId, "POST", path(appName, userId) + WITH_REVISION, body, ServiceClient.retryKey())
				.body());
		}).subscribeOn(Schedulers.io());
	}

	@Override
	public Maybe<Session> getSession(String appName, String userId, String sessionId,
			Optional<GetSessionConfig> config) {
		return read(new SessionKey(appName, userId, sessionId), config, "");
	}

	/** Reads a session; {@code more} has further query parameters. */
	Maybe<Session> read(SessionKey key, Optional<GetSessionConfig> config, String more) {
		return Maybe.fromCallable(() -> {
			StringBuilder path = new StringBuilder(path(key) + WITH_REVISION + more);
			path.append(this.settings.contextView() ? "&view=context" : "");
			config.flatMap(GetSessionConfig::numRecentEvents).ifPresent((n) -> path.append("&numRecentEvents=" + n));
			config.flatMap(GetSessionConfig::afterTimestamp).ifPresent((time) -> path.append("&afterTimestamp=" + time));
			return read(this.client.send(key.userId(), "GET", path.toString(), null, Map.of()).body());
		}).onErrorComplete(SessionNotFoundException.class::isInstance).subscribeOn(Schedulers.io());
	}

	/** Lists the sessions of a user, with their state and without events. */
	@Override
	public Single<ListSessionsResponse> listSessions(String appName, String userId) {
		return Single.fromCallable(() -> {
			List<Session> sessions = new ArrayList<>();
			String path = path(appName, userId) + WITH_REVISION + "&includeEval=true";
			for (String page = ""; page != null;) {
				HttpResponse<JsonNode> answer = this.client.send(userId, "GET", path + page, null, Map.of());
				answer.body().forEach((item) -> sessions.add(read(item)));
				Optional<String> next = answer.headers().firstValue("X-Next-Page-Token");
				page = next.map((token) -> "&pageToken=" + ESCAPER.escape(token)).orElse(null);
			}
			return ListSessionsResponse.builder().sessions(sessions).build();
		}).subscribeOn(Schedulers.io());
	}

	/** Deletes a session; succeeds if it does not exist. */
	@Override
	public Completable deleteSession(String appName, String userId, String sessionId) {
		SessionKey key = new SessionKey(appName, userId, sessionId);
		return Completable.fromAction(() -> this.client.send(userId, "DELETE", path(key), null, Map.of()))
			.subscribeOn(Schedulers.io());
	}

	/**
	 * Lists all events of a session; none if it does not exist, as in ADK's own service
	 * in memory.
	 */
	@Override
	public Single<ListEventsResponse> listEvents(String appName, String userId, String sessionId) {
		return getSession(appName, userId, sessionId, Optional.empty())
			.map((session) -> ListEventsResponse.builder().events(session.events()).build())
			.defaultIfEmpty(ListEventsResponse.builder().events(List.of()).build());
	}

	/**
	 * Appends an event, and applies the change to the session object. The error is
	 * {@link StaleSessionException} if the stored session has other events than the
	 * object: then read the session again and append again. Appends to one object run one
	 * after the other. For an object that this service object has not read, such as a
	 * copy, {@link Session#lastUpdateTime()} says which events it has.
	 */
	@Override
	public Single<Event> appendEvent(Session session, Event event) {
		if (event.partial().orElse(false)) {
			return Single.just(event);
		}
		return inTurn(session, (read) -> {
			if (event.id() == null || event.id().isEmpty()) {
				event.setId(Event.generateEventId());
			}
			return appended(session, event, read, append(session, read, "/events", WireFormat.write(event)));
		});
	}

	/** Runs an action after the earlier actions on the same session object. */
	<T> Single<T> inTurn(Session session, Function<Read, T> action) {
		Read read = this.reads.computeIfAbsent(session, (unknown) -> newRead(unknown.sessionKey()));
		return Single.fromSupplier(() -> action.apply(read)).subscribeOn(Schedulers.from(read.queue));
	}

	/** Sends an append that follows the events that the session object has read. */
	HttpResponse<JsonNode> append(Session session, Read read, String action, String body)
			throws InterruptedException {
		String path = path(session.sessionKey()) + action + precondition(session, read);
		return this.client.send(session.userId(), "POST", path, body, headers(read));
	}

	/**
	 * Returns the precondition of an object that this service has not read, such as a
	 * copy. Only its last update time says what it has read.
	 */
	String precondition(Session session, Read read) {
		Instant time = session.lastUpdateTime();
		boolean told = read.tag != null || time == null || time.equals(Instant.EPOCH);
		return (!this.settings.checkStale() || told) ? "" : "?lastUpdateTime=" + time;
	}

	/** Returns the headers of an append: the entity tag that the object has read. */
	Map<String, String> headers(Read read) {
		return (this.settings.checkStale() && read.tag != null) ? Map.of("If-Match", read.tag) : Map.of();
	}

	/** Applies a stored append to the session object. */
	Event appended(Session session, Event event, Read read, HttpResponse<JsonNode> answer) {
		BaseSessionService.super.appendEvent(session, event);
		session.state()
			.putAll(Maps.filterEntries(event.actions().stateDelta(),
					(entry) -> entry.getKey().startsWith(State.TEMP_PREFIX) && entry.getValue() != State.REMOVED));
		session.lastUpdateTime(WireFormat.instant(answer.body().get("lastUpdateTime")));
		read.tag = answer.headers().firstValue("ETag").orElse(null);
		return event;
	}

	/** Creates a session object from a response, and remembers its entity tag. */
	Session read(JsonNode json) {
		Session session = WireFormat.readSession(json);
		Read read = newRead(session.sessionKey());
		read.tag = json.get("etag").asText();
		this.reads.put(session, read);
		return session;
	}

	/** Returns an empty record of what an object has read. */
	Read newRead(SessionKey key) {
		return new Read();
	}

	static String path(SessionKey key) {
		return path(key.appName(), key.userId()) + "/" + name(key.id());
	}

	static String path(String appName, String userId) {
		return "/apps/" + name(appName) + "/users/" + name(userId) + "/sessions";
	}

	/** Escapes a name for a path, and refuses names that lead to another path. */
	static String name(String name) {
		if (name == null || name.isBlank() || name.equals(".") || name.equals("..")) {
			throw new IllegalArgumentException("Not a name of an app, a user or a session: '" + name + "'");
		}
		return ESCAPER.escape(name);
	}

}
