// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.adk.events.Event;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.ListEventsResponse;
import com.google.adk.sessions.ListSessionsResponse;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionKey;
import com.google.adk.sessions.SessionNotFoundException;
import com.google.adk.sessions.State;
import com.google.common.util.concurrent.MoreExecutors;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;

/** Keeps sessions in Agent Sessions. Speaks the HTTP API of versions 0.1 and later of the service. */
public class AgentSessionService extends LifeMethods {

	/** Asks for the entity tag in each session. */
	private static final String WITH_REVISION = "?includeRevision=true";

	private final boolean checkStale;

	private final String view;

	/** What session objects have read. Sessions are equal only to themselves. */
	private final Map<Session, Read> reads = Collections.synchronizedMap(new WeakHashMap<>());

	/** What a session object has read, and the lease under which it is appended to. */
	static final class Read {

		/** Appends to one object wait for each other, or one would make the next one stale. */
		private final Executor queue = MoreExecutors
			.newSequentialExecutor((task) -> Schedulers.io().scheduleDirect(task));

		private volatile String tag;

		volatile TurnLease lease;

	}

	/** With the address and the key in AGENT_SESSIONS_URL and AGENT_SESSIONS_API_KEY. */
	public AgentSessionService() {
		this(builder());
	}

	private AgentSessionService(Builder builder) {
		super(new ServiceClient(builder.http, builder.url.replaceAll("/+$", ""), builder.token, builder.timeout));
		this.checkStale = builder.checkStale;
		this.view = builder.contextView ? "&view=context" : "";
	}

	/**
	 * Says where the service is and how to speak with it.
	 * @return a builder with the address and the key in AGENT_SESSIONS_URL and AGENT_SESSIONS_API_KEY
	 */
	public static Builder builder() {
		return new Builder();
	}

	@Override
	public Single<Session> createSession(String appName, String userId, ConcurrentMap<String, Object> state,
			String sessionId) {
		return Single.fromCallable(() -> {
			boolean named = sessionId != null && !sessionId.isBlank();
			// An id of our own, so that the request can be sent again if its answer gets lost.
			String id = named ? sessionId : UUID.randomUUID().toString();
			String path = path(appName, userId);
			try {
				String body = WireFormat.newSession(id, state);
				return read(this.client.send(userId, "POST", path + WITH_REVISION, body, Map.of()).body());
			}
			catch (AgentSessionsException ex) {
				if (named || !ex.code().equals("ALREADY_EXISTS")) {
					throw ex;
				}
				return read(this.client.send(userId, "GET", path + "/" + id + WITH_REVISION, null, Map.of()).body());
			}
		}).subscribeOn(Schedulers.io());
	}

	@Override
	public Maybe<Session> getSession(String appName, String userId, String sessionId,
			Optional<GetSessionConfig> config) {
		return read(new SessionKey(appName, userId, sessionId), config, "");
	}

	@Override
	Maybe<Session> read(SessionKey key, Optional<GetSessionConfig> config, String more) {
		return Maybe.fromCallable(() -> {
			StringBuilder url = new StringBuilder(path(key) + WITH_REVISION + this.view + more);
			config.flatMap(GetSessionConfig::numRecentEvents).ifPresent((n) -> url.append("&numRecentEvents=" + n));
			config.flatMap(GetSessionConfig::afterTimestamp).ifPresent((time) -> url.append("&afterTimestamp=" + time));
			return read(this.client.send(key.userId(), "GET", url.toString(), null, Map.of()).body());
		}).onErrorComplete(SessionNotFoundException.class::isInstance).subscribeOn(Schedulers.io());
	}

	/** Lists the sessions of a user, with their state and without events. */
	@Override
	public Single<ListSessionsResponse> listSessions(String appName, String userId) {
		return Single.fromCallable(() -> {
			List<Session> sessions = new ArrayList<>();
			String path = path(appName, userId) + WITH_REVISION + "&includeEval=true";
			for (String page = ""; page != null;) {
				ServiceClient.Answer answer = this.client.send(userId, "GET", path + page, null, Map.of());
				answer.body().forEach((item) -> sessions.add(read(item)));
				String next = answer.header("X-Next-Page-Token");
				page = (next != null) ? "&pageToken=" + encoded(next) : null;
			}
			return ListSessionsResponse.builder().sessions(sessions).build();
		}).subscribeOn(Schedulers.io());
	}

	/** Deletes a session; succeeds if there is none. */
	@Override
	public Completable deleteSession(String appName, String userId, String sessionId) {
		return Completable
			.fromAction(() -> this.client.send(userId, "DELETE", path(appName, userId, sessionId), null, Map.of()))
			.subscribeOn(Schedulers.io());
	}

	/** Lists all events of a session. The error is {@link SessionNotFoundException} if there is none. */
	@Override
	public Single<ListEventsResponse> listEvents(String appName, String userId, String sessionId) {
		return getSession(appName, userId, sessionId, Optional.empty())
			.map((session) -> ListEventsResponse.builder().events(session.events()).build())
			.switchIfEmpty(Single.error(() -> new SessionNotFoundException("Session not found: " + sessionId)));
	}

	/**
	 * Appends an event, and changes the session object as the stored session changed. The error is
	 * {@link StaleSessionException} if the session has other events by now than the object: then read it again and
	 * append again. Appends to one object wait for each other.
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

	@Override
	<T> Single<T> inTurn(Session session, Function<Read, T> action) {
		Read read = this.reads.computeIfAbsent(session, (unknown) -> new Read());
		return Single.fromCallable(() -> action.apply(read)).subscribeOn(Schedulers.from(read.queue));
	}

	@Override
	ServiceClient.Answer append(Session session, Read read, String action, String body) {
		Map<String, String> headers = precondition(read);
		if (read.lease != null) {
			headers.putAll(read.lease.headers());
		}
		return this.client.send(session.userId(), "POST", path(session.sessionKey()) + action, body, headers);
	}

	@Override
	Map<String, String> precondition(Read read) {
		return (this.checkStale && read.tag != null) ? new HashMap<>(Map.of("If-Match", read.tag)) : new HashMap<>();
	}

	@Override
	Event appended(Session session, Event event, Read read, ServiceClient.Answer answer) {
		super.appendEvent(session, event);
		event.actions().stateDelta().forEach((key, value) -> {
			if (key.startsWith(State.TEMP_PREFIX) && value != State.REMOVED) {
				session.state().put(key, value);
			}
		});
		session.lastUpdateTime(WireFormat.lastUpdateTime(answer.body()));
		read.tag = answer.header("ETag");
		return event;
	}

	private Session read(JsonNode json) {
		Session session = WireFormat.readSession(json);
		Read read = new Read();
		read.tag = json.get("etag").asText();
		read.lease = lease(session.sessionKey());
		this.reads.put(session, read);
		return session;
	}

	static String path(SessionKey key) {
		return path(key.appName(), key.userId(), key.id());
	}

	private static String path(String appName, String userId, String... sessionId) {
		StringBuilder path = new StringBuilder("/apps/" + name(appName) + "/users/" + name(userId) + "/sessions");
		for (String id : sessionId) {
			path.append("/").append(name(id));
		}
		return path.toString();
	}

	/** A name as a piece of a path, which must not lead to another path. */
	private static String name(String name) {
		if (name == null || name.isBlank() || name.equals(".") || name.equals("..")) {
			throw new IllegalArgumentException("Not a name of an app, a user or a session: '" + name + "'");
		}
		return encoded(name);
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
	}

	/** Where the service is and how to speak with it. */
	public static final class Builder {

		private String url = System.getenv().getOrDefault("AGENT_SESSIONS_URL", "http://localhost:8080");

		private UnaryOperator<String> token = (user) -> System.getenv("AGENT_SESSIONS_API_KEY");

		private Duration timeout = Duration.ofSeconds(30);

		private boolean checkStale = true;

		private boolean contextView;

		private HttpClient http = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.connectTimeout(Duration.ofSeconds(10))
			.build();

		private Builder() {
		}

		/**
		 * Sets the address of the service.
		 * @param url instead of AGENT_SESSIONS_URL
		 * @return this
		 */
		public Builder url(String url) {
			this.url = url;
			return this;
		}

		/**
		 * Sets a key of the service.
		 * @param key instead of AGENT_SESSIONS_API_KEY
		 * @return this
		 */
		public Builder apiKey(String key) {
			return token((user) -> key);
		}

		/**
		 * Sets who gives the token of a user.
		 * @param token asked before each attempt; null for none
		 * @return this
		 */
		public Builder token(UnaryOperator<String> token) {
			this.token = token;
			return this;
		}

		/**
		 * Sets for how long one attempt may take.
		 * @param timeout instead of 30 seconds
		 * @return this
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = timeout;
			return this;
		}

		/**
		 * Sets whether an append to a session that has changed since it was read is an error.
		 * @param checkStale false to append behind whatever came before
		 * @return this
		 */
		public Builder checkStale(boolean checkStale) {
			this.checkStale = checkStale;
			return this;
		}

		/**
		 * Sets whether of a session only those events are read that a model may see: neither what was rewound, nor what a
		 * summary of ADK's compaction stands for.
		 * @param contextView false to read all
		 * @return this
		 */
		public Builder contextView(boolean contextView) {
			this.contextView = contextView;
			return this;
		}

		/**
		 * Sets the client with the pool of connections and with what it knows about TLS.
		 * @param http instead of one of its own
		 * @return this
		 */
		public Builder httpClient(HttpClient http) {
			this.http = http;
			return this;
		}

		/**
		 * Makes the service.
		 * @return a service for any number of threads
		 */
		public AgentSessionService build() {
			return new AgentSessionService(this);
		}

	}

}
