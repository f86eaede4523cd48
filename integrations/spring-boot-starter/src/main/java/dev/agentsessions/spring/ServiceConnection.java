// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * How to reach the service.
 *
 * @param url the address, without a slash at the end
 * @param token returns the token of a user, or null for none
 * @param timeout the time-out of one attempt
 * @param patience how long a request is sent again
 * @param http the HTTP client
 */
record ServiceConnection(String url, UnaryOperator<@Nullable String> token, Duration timeout, Duration patience,
		HttpClient http) {

	ServiceConnection {
		url = url.replaceAll("/+$", "");
		if (!url.matches("https?://.+")) {
			throw new IllegalArgumentException(
					"The address of the service has to begin with http:// or https://: '" + url + "'");
		}
	}

	/** Returns a request without its method. */
	HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.url + path)).timeout(this.timeout);
	}

	/** Sends a request once. An interrupt of the thread ends the wait. */
	HttpResponse<String> send(HttpRequest request) throws IOException {
		try {
			return this.http.send(request, BodyHandlers.ofString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The thread was interrupted while it waited for " + this.url, ex);
		}
	}

}
