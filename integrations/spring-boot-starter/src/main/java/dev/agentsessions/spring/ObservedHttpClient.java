// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Observes each attempt of a request that waits for its response, as all requests of the
 * clients do. The names are few: they contain no names or ids of apps, users, sessions,
 * events and files.
 */
class ObservedHttpClient extends HttpClient {

	private static final Pattern BELOW_USER = Pattern.compile("/apps/[^/]+/users/[^/:]+(.*)$");

	private final HttpClient client;

	private final ObservationRegistry registry;

	ObservedHttpClient(HttpClient client, ObservationRegistry registry) {
		this.client = client;
		this.registry = registry;
	}

	@Override
	public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> reader)
			throws IOException, InterruptedException {
		Observation observation = start(request);
		try (Observation.Scope scope = observation.openScope()) {
			HttpResponse<T> response = this.client.send(request, reader);
			status(observation, String.valueOf(response.statusCode()));
			return response;
		}
		catch (IOException | InterruptedException | RuntimeException ex) {
			observation.error(ex);
			throw ex;
		}
		finally {
			observation.stop();
		}
	}

	@Override
	public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> reader) {
		return this.client.sendAsync(request, reader);
	}

	@Override
	public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> reader,
			PushPromiseHandler<T> pushes) {
		return this.client.sendAsync(request, reader, pushes);
	}

	private Observation start(HttpRequest request) {
		String operation = request.method() + " " + operation(request.uri().getRawPath());
		Observation observation = Observation.createNotStarted("agent.sessions.requests", this.registry)
			.contextualName(operation)
			.lowCardinalityKeyValue("operation", operation);
		status(observation, "none");
		return observation.start();
	}

	private static void status(Observation observation, String status) {
		observation.lowCardinalityKeyValue("status", status);
	}

	/**
	 * Returns the path below the user, with {id} in place of each name. The client
	 * escapes colons in names, so what follows a colon is a verb of the API.
	 */
	private static String operation(String path) {
		Matcher below = BELOW_USER.matcher(path);
		return below.find() ? below.group(1).replaceAll("(/[^/:]+)/[^/:]+", "$1/{id}") : "other";
	}

	@Override
	public Optional<CookieHandler> cookieHandler() {
		return this.client.cookieHandler();
	}

	@Override
	public Optional<Duration> connectTimeout() {
		return this.client.connectTimeout();
	}

	@Override
	public Redirect followRedirects() {
		return this.client.followRedirects();
	}

	@Override
	public Optional<ProxySelector> proxy() {
		return this.client.proxy();
	}

	@Override
	public SSLContext sslContext() {
		return this.client.sslContext();
	}

	@Override
	public SSLParameters sslParameters() {
		return this.client.sslParameters();
	}

	@Override
	public Optional<Authenticator> authenticator() {
		return this.client.authenticator();
	}

	@Override
	public Version version() {
		return this.client.version();
	}

	@Override
	public Optional<Executor> executor() {
		return this.client.executor();
	}

}
