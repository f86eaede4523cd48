package dev.agentsessions.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Sends requests to a service on this machine. A request fails if its response has not
 * begun after a minute.
 */
public final class Http {

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final int port;

	public Http(int port) {
		this.port = port;
	}

	public int port() {
		return this.port;
	}

	public Answer get(String path) {
		return send("GET", path, BodyPublishers.noBody());
	}

	public Answer delete(String path) {
		return send("DELETE", path, BodyPublishers.noBody());
	}

	/** Sends JSON; headers come as names and values in turn. */
	public Answer post(String path, String json, String... headers) {
		return sendJson("POST", path, BodyPublishers.ofString(json), headers);
	}

	/** Sends JSON; headers come as names and values in turn. */
	public Answer patch(String path, String json, String... headers) {
		return sendJson("PATCH", path, BodyPublishers.ofString(json), headers);
	}

	/** Sends what claims to be JSON as it is. */
	public Answer post(String path, byte[] body) {
		return sendJson("POST", path, BodyPublishers.ofByteArray(body));
	}

	/** Sends a body whose length the service does not know beforehand. */
	public Answer postChunked(String path, Supplier<InputStream> body) {
		return sendJson("POST", path, BodyPublishers.ofInputStream(body));
	}

	/** Sends any request; headers come as names and values in turn. */
	public Answer send(String method, String path, BodyPublisher body, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path))
			.timeout(Duration.ofMinutes(3))
			.method(method, body);
		if (headers.length > 0) {
			request.headers(headers);
		}
		return send(request.build());
	}

	private Answer sendJson(String method, String path, BodyPublisher body, String... headers) {
		String[] all = new String[headers.length + 2];
		all[0] = "Content-Type";
		all[1] = "application/json";
		System.arraycopy(headers, 0, all, 2, headers.length);
		return send(method, path, body, all);
	}

	private static Answer send(HttpRequest request) {
		try {
			HttpResponse<String> response = CLIENT.send(request, Bodies.text());
			return new Answer(response.statusCode(), response.headers(), response.body());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
