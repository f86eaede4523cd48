// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.adk.events.Event;
import com.google.adk.memory.BaseMemoryService;
import com.google.adk.memory.SearchMemoryResponse;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionKey;
import com.google.adk.sessions.SessionNotFoundException;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;

/**
 * Finds what was said in the sessions that Agent Sessions stores.
 */
public class AgentSessionMemoryService implements BaseMemoryService {

	private final Builder settings;

	private final ServiceClient client;

	/**
	 * Creates a service with the address in AGENT_SESSIONS_URL and the key in
	 * AGENT_SESSIONS_API_KEY.
	 * @throws AgentSessionsException with the code {@code INVALID_ARGUMENT} if the
	 * address does not begin with {@code http://} or {@code https://}
	 */
	public AgentSessionMemoryService() {
		this(builder());
	}

	private AgentSessionMemoryService(Builder settings) {
		this.settings = settings;
		this.client = new ServiceClient(settings.connection());
	}

	/**
	 * Returns a builder for the address of the service and the settings of the client.
	 * @return a builder with the address in AGENT_SESSIONS_URL and the key in
	 * AGENT_SESSIONS_API_KEY
	 */
	public static Builder builder() {
		return new Builder(AgentSessionService.builder().unavailableTimeout(Duration.ofSeconds(5)), 5, 1);
	}

	/**
	 * Needed only for sessions of another session service: stores their events as facts,
	 * each event once, however often the session is added. An event is not stored if
	 * another one of the session with its id is there. Events of sessions that Agent
	 * Sessions stores are found without this call.
	 */
	@Override
	public Completable addSessionToMemory(Session session) {
		return Completable.fromAction(() -> {
			if (!isStored(session)) {
				for (Event event : List.copyOf(session.events())) {
					Optional<JsonNode> fact = MemoryFormat.writeFact(session.id(), event);
					if (fact.isPresent()) {
						store(session, fact.get());
					}
				}
			}
		}).subscribeOn(Schedulers.io());
	}

	/**
	 * Finds the turns and the facts that match best. A turn with the same words as the
	 * query is left out. ADK does not say in which session the user talks now, so other
	 * turns of that session are found as well. A query of more than 2,000 characters is
	 * cut, and a blank one finds nothing.
	 */
	@Override
	public Single<SearchMemoryResponse> searchMemory(String appName, String userId, String query) {
		return search(appName, userId, query, null);
	}

	/**
	 * Finds the turns and the facts that match best, without the turns of the session in
	 * which the user talks now. A tool or a callback of an agent knows that session:
	 * {@code context.invocationContext().session().sessionKey()}.
	 * @param current the session in which the user talks now
	 * @param query what to search for
	 * @return the hits, the best first
	 */
	public Single<SearchMemoryResponse> searchMemory(SessionKey current, String query) {
		return search(current.appName(), current.userId(), query, current.id());
	}

	private Single<SearchMemoryResponse> search(String appName, String userId, String query, String exceptSessionId) {
		if (query == null || query.isBlank()) {
			return Single.just(MemoryFormat.NOTHING);
		}
		return Single.fromCallable(() -> {
			ObjectNode body = MemoryFormat.writeQuery(query, exceptSessionId)
				.put("limit", this.settings.limit())
				.put("around", this.settings.around());
			return MemoryFormat.readHits(send(appName, userId, "POST", "/events:search", body));
		}).subscribeOn(Schedulers.io());
	}

	private void store(Session session, JsonNode fact) throws InterruptedException {
		try {
			send(session.appName(), session.userId(), "POST", "/memories", fact);
		}
		catch (AgentSessionsException ex) {
			if (!ex.code().equals("ALREADY_EXISTS")) {
				throw ex;
			}
		}
	}

	private boolean isStored(Session session) throws InterruptedException {
		try {
			send(session.appName(), session.userId(), "PATCH", "/memory", MemoryFormat.writeSessionId(session.id()));
			return true;
		}
		catch (SessionNotFoundException ex) {
			return false;
		}
	}

	private JsonNode send(String appName, String userId, String method, String action, JsonNode body)
			throws InterruptedException {
		String path = "/apps/" + SessionMethods.name(appName) + "/users/" + SessionMethods.name(userId) + action;
		return this.client.send(userId, method, path, body.toString(), Map.of()).body();
	}

	/**
	 * The address of the service and the settings of the client. Each setter returns a
	 * new builder.
	 *
	 * @param connection the settings that the session service has as well
	 * @param limit the maximum number of memories that a search returns
	 * @param around how many turns before and after a hit become lines of its text
	 */
	public record Builder(AgentSessionService.Builder connection, int limit, int around) {

		/**
		 * Sets the address of the service.
		 * @param url the address, instead of AGENT_SESSIONS_URL
		 * @return a new builder
		 */
		public Builder url(String url) {
			return with(this.connection.url(url));
		}

		/**
		 * Sets the API key of the service.
		 * @param key the key, instead of AGENT_SESSIONS_API_KEY
		 * @return a new builder
		 */
		public Builder apiKey(String key) {
			return with(this.connection.apiKey(key));
		}

		/**
		 * Sets the function that returns the token of a user.
		 * @param token the client calls it before each attempt; it returns null for no
		 * token
		 * @return a new builder
		 */
		public Builder token(UnaryOperator<String> token) {
			return with(this.connection.token(token));
		}

		/**
		 * Sets the time-out of one attempt.
		 * @param timeout the time-out; the default is 30 seconds
		 * @return a new builder
		 */
		public Builder timeout(Duration timeout) {
			return with(this.connection.timeout(timeout));
		}

		/**
		 * Sets how long the client retries a request while it cannot connect.
		 * @param timeout the duration; the default is 5 seconds, because a model call
		 * waits for the search
		 * @return a new builder
		 */
		public Builder unavailableTimeout(Duration timeout) {
			return with(this.connection.unavailableTimeout(timeout));
		}

		/**
		 * Sets the HTTP client with the pool of connections and the TLS settings.
		 * @param http the HTTP client, instead of the default one
		 * @return a new builder
		 */
		public Builder httpClient(HttpClient http) {
			return with(this.connection.httpClient(http));
		}

		/**
		 * Sets the maximum number of memories that a search returns.
		 * @param limit 1 to 100; the default is 5
		 * @return a new builder
		 */
		public Builder limit(int limit) {
			return new Builder(this.connection, limit, this.around);
		}

		/**
		 * Sets how many turns before and after a hit become lines of its text.
		 * @param turns 0 to 5; the default is 1
		 * @return a new builder
		 */
		public Builder around(int turns) {
			return new Builder(this.connection, this.limit, turns);
		}

		private Builder with(AgentSessionService.Builder changed) {
			return new Builder(changed, this.limit, this.around);
		}

		/**
		 * Creates the service.
		 * @return a service that any number of threads can use
		 * @throws AgentSessionsException with the code {@code INVALID_ARGUMENT} if the
		 * address does not begin with {@code http://} or {@code https://}
		 */
		public AgentSessionMemoryService build() {
			return new AgentSessionMemoryService(this);
		}

	}

}
