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
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;

/**
 * What {@link AgentSessionService} can do beyond ADK's services: the past of a session, what happens in it and what it
 * waits for, and turns.
 */
abstract class LifeMethods extends SessionMethods {

	/** The leases that are held by this service object. */
	private final Map<SessionKey, TurnLease> leases = new ConcurrentHashMap<>();

	LifeMethods(AgentSessionService.Builder settings) {
		super(settings);
	}

	/**
	 * Reads a session as it was right after an event. An append to it ends with {@link StaleSessionException}, unless that
	 * is the newest event.
	 * @param key which session
	 * @param atSeq the event; 0 is the beginning
	 * @param config which of the events until then, or null for all
	 * @return the session; empty if there is none. The error is {@link AgentSessionsException} if it does not have so many
	 * events
	 */
	public Maybe<Session> sessionAt(SessionKey key, long atSeq, GetSessionConfig config) {
		return read(key, Optional.ofNullable(config), "&atSeq=" + atSeq);
	}

	/**
	 * Explains the state that a session has now: which event has set which key.
	 * @param key which session
	 * @return the state; the error is {@link SessionNotFoundException} if there is no such session
	 */
	public Single<ExplainedState> stateAt(SessionKey key) {
		return explained(key, "");
	}

	/**
	 * Explains the state that a session had right after an event: which event had set which key.
	 * @param key which session
	 * @param atSeq the event; 0 is the beginning
	 * @return the state; the error is {@link SessionNotFoundException} if there is no such session, and
	 * {@link AgentSessionsException} if it does not have so many events
	 */
	public Single<ExplainedState> stateAt(SessionKey key, long atSeq) {
		return explained(key, "?atSeq=" + atSeq);
	}

	/**
	 * Creates a session as a copy of the first part of another one of the user, which stays as it is.
	 * @param key which session is copied
	 * @param options what of it, and what the copy is called
	 * @return the copy; the error is {@link SessionNotFoundException} if there is no such session, and
	 * {@link AgentSessionsException} if it has no such event or invocation, or there is a session with the new id
	 */
	public Single<Session> fork(SessionKey key, ForkOptions options) {
		boolean named = options.newSessionId() != null && !options.newSessionId().isBlank();
		// An id of our own, so that the request can be sent again if its answer gets lost.
		String id = named ? options.newSessionId() : UUID.randomUUID().toString();
		return Completable.fromAction(() -> {
			String path = path(key) + ":fork?numRecentEvents=0";
			try {
				this.client.send(key.userId(), "POST", path, options.toJson(id), Map.of());
			}
			catch (AgentSessionsException ex) {
				if (named || !ex.code().equals("ALREADY_EXISTS")) {
					throw ex;
				}
			}
		})
			.subscribeOn(Schedulers.io())
			.andThen(read(new SessionKey(key.appName(), key.userId(), id), Optional.empty(), ""))
			.switchIfEmpty(Single.error(() -> new SessionNotFoundException("Session not found: " + id)));
	}

	/**
	 * Takes a session back to before an invocation: appends ADK's rewind event, to the object, too. ADK Java does not know
	 * such events: a service with {@link AgentSessionService.Builder#contextView} keeps from its agents what was taken
	 * back.
	 * @param session the session as it was read
	 * @param beforeInvocationId the first invocation that is taken back
	 * @return the event; the error is {@link StaleSessionException} if the session has changed since it was read, and
	 * {@link AgentSessionsException} if it has no such invocation
	 */
	public Single<Event> rewind(Session session, String beforeInvocationId) {
		String body = JsonBaseModel
			.toJsonString(Map.of("beforeInvocationId", beforeInvocationId, "eventId", UUID.randomUUID().toString()));
		return inTurn(session, (read) -> {
			HttpResponse<JsonNode> answer = append(session, read, ":rewind", body);
			return appended(session, WireFormat.readEvent(answer.body().get("event")), read, answer);
		});
	}

	/**
	 * Lists the function calls of a session that wait for somebody's answer, the oldest first.
	 * @param key which session
	 * @return all of them; the error is {@link SessionNotFoundException} if there is no such session
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
	 * Follows a session from now on: its events as they are appended, by whoever appends them. It goes on by itself when
	 * the connection breaks or the service restarts, without missing or repeating an event, and completes when the session
	 * is deleted or expires. No more is read than is asked for.
	 * @param key which session
	 * @return the events; the error is {@link SessionNotFoundException} if there is no such session, and that of the last
	 * attempt if the service cannot be reached for a minute
	 */
	public Flowable<WatchedEvent> watch(SessionKey key) {
		return Watch.events(this.client, key, null, Watch.PATIENCE);
	}

	/**
	 * Follows a session, as {@link #watch(SessionKey)} does, and begins behind an event.
	 * @param key which session
	 * @param afterSeq the event, 0 for the first one to come first
	 * @return the events; the error is {@link AgentSessionsException}, too, if the session does not have so many
	 */
	public Flowable<WatchedEvent> watch(SessionKey key, long afterSeq) {
		return Watch.events(this.client, key, afterSeq, Watch.PATIENCE);
	}

	/**
	 * Takes the lease of a session as {@link #acquire(Session, LeaseOptions)} does, for a minute.
	 * @param session the session as it was read
	 * @return the lease
	 */
	public Single<TurnLease> acquire(Session session) {
		return acquire(session, LeaseOptions.DEFAULT);
	}

	/**
	 * Takes the lease of a session, so that nobody else takes a turn at it meanwhile.
	 * @param session the session as it was read
	 * @param options for how long, and how
	 * @return the lease; the error is {@link SessionBusyException} if it is somebody else's turn, and
	 * {@link StaleSessionException} if the session has changed since it was read
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

	/** While this service has the lease of a session, what is read of it is appended to under the lease, and so are copies. */
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
