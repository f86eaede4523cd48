package dev.agentsessions.security;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;

import dev.agentsessions.support.Bodies;

/** One HTTP request to the service, as a client makes it. */
public final class Call {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final HttpRequest.Builder request;

	private final String method;

	private BodyPublisher body = BodyPublishers.noBody();

	public Call(int port, String method, String path) {
		this.method = method;
		this.request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
			.timeout(Duration.ofMinutes(1));
	}

	public Call as(Keys key) {
		return bearer(key.key());
	}

	public Call bearer(String credentials) {
		return header("Authorization", "Bearer " + credentials);
	}

	public Call header(String name, String value) {
		this.request.header(name, value);
		return this;
	}

	public Call json(String json) {
		return body(json, "application/json");
	}

	/** JSON in each line. */
	public Call lines(String lines) {
		return body(lines, "application/x-ndjson");
	}

	private Call body(String text, String type) {
		this.body = BodyPublishers.ofString(text);
		return header("Content-Type", type);
	}

	public HttpResponse<String> send() {
		try {
			return CLIENT.send(this.request.method(this.method, this.body).build(), Bodies.text());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	public int status() {
		return send().statusCode();
	}

}
