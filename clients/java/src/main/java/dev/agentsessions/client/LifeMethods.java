// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.adk.JsonBaseModel;
import com.google.adk.events.Event;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionKey;
import com.google.adk.sessions.SessionNotFoundException;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;

/**
 * Methods of {@link AgentSessionService} beyond ADK's session service: time travel,
 * forks, rewinds, pending calls, watches and leases.
 */
abstract class LifeMethods extends SessionMethods {

	/** The leases that this service object holds. */
	private final Map<SessionKey, TurnLease> leases = new ConcurrentHashMap<>();

	LifeMethods(AgentSessionService.Builder settings) {
		super(settings);
	}

	/**
	 * Reads a session as it was right after an event. An append to this object fails with
	 * {@link StaleSessionException}, unless the event is the newest one.
	 * @param key the key of the session
	 * @param atSeq the seq of the event; 0 is the start of the session
	 * @param config which events up to that one to read, or null for all
	 * @return the session; empty if it does not exist. The error is
	 * {@link AgentSessionsException} if the session has fewer events
	 */
	public Maybe<Session> sessionAt(SessionKey key, long atSeq, GetSessionConfig config) {
		return read(key, Optional.ofNullable(config), "&atSeq=" + atSeq);
	}

	/**
	 * Explains the current state of a session: which event set which key.
	 * @param key the key of the session
	 * @return the state; the error is {@link SessionNotFoundException} if the session
	 * does not exist
	 */
	public Single<ExplainedState> stateAt(SessionKey key) {
		return explained(key, "");
	}

	/**
	 * Explains the state that a session had right after an event: which event set which
	 * key.
	 * @param key the key of the session
	 * @param atSeq the seq of the event; 0 is the start of the session
	 * @return the state; the error is {@link SessionNotFoundException} if the session
	 * does not exist, and {@link AgentSessionsException} if it has fewer events
	 */
	public Single<ExplainedState> stateAt(SessionKey key, long atSeq) {
		return explained(key, "?atSeq=" + atSeq);
	}

	/**
	 * Creates a session as a copy of the first events of another session of the user. The
	 * other session does not change.
	 * @param key the key of the session to copy
	 * @param options which events are copied, and the id and name of the copy
	 * @return the copy; the error is {@link SessionNotFoundException} if the session does
	 * not exist, and {@link AgentSessionsException} if it does not have the event or
	 * invocation, or if a session with the new id exists
	 */
	public Single<Session> fork(SessionKey key, ForkOptions options) {
		String path = path(key) + ":fork?numRecentEvents=0";
		return Single.fromCallable(
				() -> this.client.send(key.userId(), "POST", path, options.toJson(), ServiceClient.retryKey()).body())
			.subscribeOn(Schedulers.io())
			.map((forked) -> new SessionKey(key.appName(), key.userId(), forked.path("id").asText()))
			.flatMap((forked) -> read(forked, Optional.empty(), "").switchIfEmpty(
					Single.error(() -> new SessionNotFoundException("Session not found: " + forked.id()))));
	}

	/**
	 * Takes a session back to before an invocation: appends ADK's rewind event to the
	 * stored session and to the object. ADK Java does not know these events. A service
	 * with {@link AgentSessionService.Builder#contextView} does not return the rewound
	 * events to its agents.
	 * @param session the session as the client read it
	 * @param beforeInvocationId the first invocation to take back
	 * @return the event; the error is {@link StaleSessionException} if the session has
	 * changed since the client read it, and {@link AgentSessionsException} if it does not
	 * have the invocation
	 */
	public Single<Event> rewind(Session session, String beforeInvocationId) {
		String body = JsonBaseModel
			.toJsonString(Map.of("beforeInvocationId", beforeInvocationId, "eventId", UUID.randomUUID().toString()));
		return inTurn(session, (read) -> {
			HttpResponse<JsonNode> answer = append(session, read, ":rewind", body);
			return appended(session, WireFormat.readEvent(answer.body().get("event"), session.id()), read, answer);
		});
	}

	/**
	 * Lists the function calls of a session that wait for a function response, the oldest
	 * first.
	 * @param key the key of the session
	 * @return all pending calls; the error is {@link SessionNotFoundException} if the
	 * session does not exist
	 */
	public Single<List<PendingCall>> pendingCalls(SessionKey key) {
		return Single.fromCallable(() -> {
			List<PendingCall> calls = new ArrayList<>();
			String path = path(key) + "/pending";
			for (String query = ""; query != null;) {
				JsonNode page = this.client.send(key.userId(), "GET", path + query, null, Map.of()).body();
				page.get("pending").forEach((call) -> calls.add(PendingCall.of(call)));
				JsonNode next = page.get("nextPageToken");
				query = (next != null) ? "?pageToken=" + ESCAPER.escape(next.asText()) : null;
			}
			return calls;
		}).subscribeOn(Schedulers.io());
	}

	/**
	 * Follows a session from now on: emits the events that any writer appends. Reconnects
	 * when the connection breaks or the service restarts, without missing or repeating an
	 * event. Completes when the session is deleted or expires. Reads only as many events
	 * as the subscriber requests.
	 * @param key the key of the session
	 * @return the events; the error is {@link SessionNotFoundException} if the session
	 * does not exist, and the error of the last attempt if the client cannot reach the
	 * service for a minute
	 */
	public Flowable<WatchedEvent> watch(SessionKey key) {
		return Watch.events(this.client, key, null, Watch.PATIENCE);
	}

	/**
	 * Follows a session like {@link #watch(SessionKey)}, and begins after an event.
	 * @param key the key of the session
	 * @param afterSeq the seq of that event, 0 to begin with the first event
	 * @return the events; the error is also {@link AgentSessionsException} if the session
	 * has fewer events
	 */
	public Flowable<WatchedEvent> watch(SessionKey key, long afterSeq) {
		return Watch.events(this.client, key, afterSeq, Watch.PATIENCE);
	}

	/**
	 * Takes the lease of a session like {@link #acquire(Session, LeaseOptions)}, for one
	 * minute.
	 * @param session the session as the client read it
	 * @return the lease
	 */
	public Single<TurnLease> acquire(Session session) {
		return acquire(session, LeaseOptions.DEFAULT);
	}

	/**
	 * Takes the lease of a session, so that no other holder can take it until this lease
	 * ends.
	 * @param session the session as the client read it
	 * @param options the time to live and other options of the lease
	 * @return the lease; the error is {@link SessionBusyException} if another holder has
	 * the lease, and {@link StaleSessionException} if the session has changed since the
	 * client read it
	 */
	public Single<TurnLease> acquire(Session session, LeaseOptions options) {
		SessionKey key = session.sessionKey();
		LeaseOptions own = options.holder(options.holder() + ":" + UUID.randomUUID());
		String body = JsonBaseModel.toJsonString(Map.of("holder", own.holder(), "ttl", TurnLease.seconds(own.ttl()),
				"exclusive", own.exclusive()));
		TurnLease.Request request = (verb, content, headers) -> this.client.send(key.userId(), "POST",
				path(key) + verb, content, headers);
		return inTurn(session, (read) -> {
			String verb = ":acquire" + precondition(session, read);
			long number = request.send(verb, body, super.headers(read)).body().get("lease").asLong();
			read.lease = new TurnLease(number, own, request, (lease) -> this.leases.remove(key, lease));
			this.leases.put(key, read.lease);
			return read.lease;
		});
	}

	/**
	 * While this service holds the lease of a session, objects that it reads, and copies
	 * of them, append under the lease.
	 */
	@Override
	Read newRead(SessionKey key) {
		Read read = super.newRead(key);
		read.lease = this.leases.get(key);
		return read;
	}

	@Override
	Map<String, String> headers(Read read) {
		Map<String, String> headers = new HashMap<>(super.headers(read));
		if (read.lease != null) {
			headers.putAll(read.lease.headers());
		}
		return headers;
	}

	private Single<ExplainedState> explained(SessionKey key, String query) {
		String path = path(key) + "/state" + query;
		return Single.fromCallable(() -> this.client.send(key.userId(), "GET", path, null, Map.of()))
			.subscribeOn(Schedulers.io())
			.map((answer) -> ExplainedState.of(answer.body()));
	}

}
