// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Keeps sessions in Agent Sessions. Speaks the HTTP API of versions 0.1 and later of the service. */
public class AgentSessionService extends LifeMethods {

	/**
	 * With the address and the key in AGENT_SESSIONS_URL and AGENT_SESSIONS_API_KEY.
	 * @throws AgentSessionsException with the code {@code INVALID_ARGUMENT} if the address does not begin with
	 * {@code http://} or {@code https://}
	 */
	public AgentSessionService() {
		this(builder());
	}

	private AgentSessionService(Builder settings) {
		super(settings);
	}

	/**
	 * Says where the service is and how to speak with it.
	 * @return a builder with the address and the key in AGENT_SESSIONS_URL and AGENT_SESSIONS_API_KEY
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
	 * Where the service is and how to speak with it. Each setting gives a new builder.
	 *
	 * @param url the address of the service
	 * @param token gives the token of a user, or null for none
	 * @param timeout for how long one attempt may take
	 * @param unavailableTimeout for how long a request is sent again while no connection can be made
	 * @param checkStale whether an append to a session that has changed since it was read is an error
	 * @param contextView whether of a session only those events are read that a model may see
	 * @param httpClient the pool of connections
	 */
	public record Builder(String url, UnaryOperator<String> token, Duration timeout,
			Duration unavailableTimeout, boolean checkStale, boolean contextView, HttpClient httpClient) {

		/**
		 * Sets the address of the service.
		 * @param url instead of AGENT_SESSIONS_URL
		 * @return such a builder
		 */
		public Builder url(String url) {
			return new Builder(url, this.token, this.timeout, this.unavailableTimeout, this.checkStale,
					this.contextView, this.httpClient);
		}

		/**
		 * Sets a key of the service.
		 * @param key instead of AGENT_SESSIONS_API_KEY
		 * @return such a builder
		 */
		public Builder apiKey(String key) {
			return token((user) -> key);
		}

		/**
		 * Sets who gives the token of a user.
		 * @param token asked before each attempt; null for none
		 * @return such a builder
		 */
		public Builder token(UnaryOperator<String> token) {
			return new Builder(this.url, token, this.timeout, this.unavailableTimeout, this.checkStale,
					this.contextView, this.httpClient);
		}

		/**
		 * Sets for how long one attempt may take.
		 * @param timeout instead of 30 seconds
		 * @return such a builder
		 */
		public Builder timeout(Duration timeout) {
			return new Builder(this.url, this.token, timeout, this.unavailableTimeout, this.checkStale,
					this.contextView, this.httpClient);
		}

		/**
		 * Sets for how long a request is sent again while no connection can be made. The first failure is logged. What
		 * waiting cannot heal fails at once: a host that does not exist, a certificate that is not trusted, another protocol.
		 * @param timeout instead of 30 seconds
		 * @return such a builder
		 */
		public Builder unavailableTimeout(Duration timeout) {
			return new Builder(this.url, this.token, this.timeout, timeout, this.checkStale,
					this.contextView, this.httpClient);
		}

		/**
		 * Sets whether an append to a session that has changed since it was read is an error.
		 * @param checkStale false to append behind whatever came before
		 * @return such a builder
		 */
		public Builder checkStale(boolean checkStale) {
			return new Builder(this.url, this.token, this.timeout, this.unavailableTimeout, checkStale,
					this.contextView, this.httpClient);
		}

		/**
		 * Sets whether of a session only those events are read that a model may see: neither what was rewound, nor what a
		 * summary of ADK's compaction stands for.
		 * @param contextView false to read all
		 * @return such a builder
		 */
		public Builder contextView(boolean contextView) {
			return new Builder(this.url, this.token, this.timeout, this.unavailableTimeout, this.checkStale,
					contextView, this.httpClient);
		}

		/**
		 * Sets the client with the pool of connections and with what it knows about TLS.
		 * @param http instead of one of its own
		 * @return such a builder
		 */
		public Builder httpClient(HttpClient http) {
			return new Builder(this.url, this.token, this.timeout, this.unavailableTimeout, this.checkStale,
					this.contextView, http);
		}

		/**
		 * Makes the service.
		 * @return a service for any number of threads
		 * @throws AgentSessionsException with the code {@code INVALID_ARGUMENT} if the address does not begin with
		 * {@code http://} or {@code https://}
		 */
		public AgentSessionService build() {
			return new AgentSessionService(this);
		}

	}

}
