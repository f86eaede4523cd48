// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Stores ADK sessions in Agent Sessions. Uses the HTTP API of versions 0.1 and later of
 * the service.
 */
public class AgentSessionService extends LifeMethods {

	/**
	 * Creates a service with the address in AGENT_SESSIONS_URL and the key in
	 * AGENT_SESSIONS_API_KEY.
	 * @throws AgentSessionsException with the code {@code INVALID_ARGUMENT} if the
	 * address does not begin with {@code http://} or {@code https://}
	 */
	public AgentSessionService() {
		this(builder());
	}

	private AgentSessionService(Builder settings) {
		super(settings);
	}

	/**
	 * Returns a builder for the address of the service and the settings of the client.
	 * @return a builder with the address in AGENT_SESSIONS_URL and the key in
	 * AGENT_SESSIONS_API_KEY
	 */
	public static Builder builder() {
		return new Builder(System.getenv().getOrDefault("AGENT_SESSIONS_URL", "http://localhost:8080"),
				(user) -> System.getenv("AGENT_SESSIONS_API_KEY"), Duration.ofSeconds(30), Duration.ofSeconds(30), true, false,
				HttpClient.newBuilder()
					.version(HttpClient.Version.HTTP_1_1)
					.connectTimeout(Duration.ofSeconds(10))
					.build());
	}

	/**
	 * The address of the service and the settings of the client. Each setter returns a
	 * new builder.
	 *
	 * @param url the address of the service
	 * @param token returns the token of a user, or null for none
	 * @param timeout the time-out of one attempt
	 * @param unavailableTimeout how long the client retries a request while it cannot
	 * connect
	 * @param checkStale whether an append fails if the session has changed since the
	 * client read it
	 * @param contextView whether the client reads only the events of a session that a
	 * model may see
	 * @param httpClient the HTTP client with the pool of connections
	 */
	public record Builder(String url, UnaryOperator<String> token, Duration timeout,
			Duration unavailableTimeout, boolean checkStale, boolean contextView, HttpClient httpClient) {

		/**
		 * Sets the address of the service.
		 * @param url the address, instead of AGENT_SESSIONS_URL
		 * @return a new builder
		 */
		public Builder url(String url) {
			return new Builder(url, this.token, this.timeout, this.unavailableTimeout, this.checkStale,
					this.contextView, this.httpClient);
		}

		/**
		 * Sets the API key of the service.
		 * @param key the key, instead of AGENT_SESSIONS_API_KEY
		 * @return a new builder
		 */
		public Builder apiKey(String key) {
			return token((user) -> key);
		}

		/**
		 * Sets the function that returns the token of a user.
		 * @param token the client calls it before each attempt; it returns null for no
		 * token
		 * @return a new builder
		 */
		public Builder token(UnaryOperator<String> token) {
			return new Builder(this.url, token, this.timeout, this.unavailableTimeout, this.checkStale,
					this.contextView, this.httpClient);
		}

		/**
		 * Sets the time-out of one attempt.
		 * @param timeout the time-out; the default is 30 seconds
		 * @return a new builder
		 */
		public Builder timeout(Duration timeout) {
			return new Builder(this.url, this.token, timeout, this.unavailableTimeout, this.checkStale,
					this.contextView, this.httpClient);
		}

		/**
		 * Sets how long the client retries a request while it cannot connect. The client
		 * logs the first failure. Some errors fail at once because a retry cannot help: a
		 * host that does not exist, a certificate that is not trusted, another protocol.
		 * @param timeout the duration; the default is 30 seconds
		 * @return a new builder
		 */
		public Builder unavailableTimeout(Duration timeout) {
			return new Builder(this.url, this.token, this.timeout, timeout, this.checkStale,
					this.contextView, this.httpClient);
		}

		/**
		 * Sets whether an append fails if the session has changed since the client read
		 * it.
		 * @param checkStale false to append after any events of other writers
		 * @return a new builder
		 */
		public Builder checkStale(boolean checkStale) {
			return new Builder(this.url, this.token, this.timeout, this.unavailableTimeout, checkStale,
					this.contextView, this.httpClient);
		}

		/**
		 * Sets whether the client reads only the events of a session that a model may
		 * see. This leaves out events that were rewound, and events that a summary of
		 * ADK's compaction replaces.
		 * @param contextView false to read all events
		 * @return a new builder
		 */
		public Builder contextView(boolean contextView) {
			return new Builder(this.url, this.token, this.timeout, this.unavailableTimeout, this.checkStale,
					contextView, this.httpClient);
		}

		/**
		 * Sets the HTTP client with the pool of connections and the TLS settings.
		 * @param http the HTTP client, instead of the default one
		 * @return a new builder
		 */
		public Builder httpClient(HttpClient http) {
			return new Builder(this.url, this.token, this.timeout, this.unavailableTimeout, this.checkStale,
					this.contextView, http);
		}

		/**
		 * Creates the service.
		 * @return a service that any number of threads can use
		 * @throws AgentSessionsException with the code {@code INVALID_ARGUMENT} if the
		 * address does not begin with {@code http://} or {@code https://}
		 */
		public AgentSessionService build() {
			return new AgentSessionService(this);
		}

	}

}
