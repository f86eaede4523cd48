// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.adk.sessions.SessionException;
import com.google.adk.sessions.SessionKey;
import io.reactivex.rxjava3.core.Emitter;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.schedulers.Schedulers;

/** The position of one watch in a session, over any number of connections. */
final class Watch implements AutoCloseable {

	static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final long SHORTEST_PAUSE = 100;

	private static final long LONGEST_PAUSE = 5_000;

	private final ServiceClient client;

	private final SessionKey key;

	private final Duration patience;

	private Long seq;

	/** The id of the last message: the seq, a dot, and the time of the event. */
	private String lastId;

	private String creation;

	/** When the last connection ended (nanoseconds). */
	private long since = System.nanoTime();

	private long pause = SHORTEST_PAUSE;

	private volatile EventStream stream;

	private volatile boolean over;

	private Watch(ServiceClient client, SessionKey key, Long afterSeq, Duration patience) {
		this.client = client;
		this.key = key;
		this.seq = afterSeq;
		this.patience = patience;
	}

	/**
	 * Returns the events of a session until it is deleted or expires. Reads only as many
	 * events as the subscriber requests.
	 * @param afterSeq begins after this event, or null for now
	 * @param patience how long the client tries to reach the service again
	 */
	static Flowable<WatchedEvent> events(ServiceClient client, SessionKey key, Long afterSeq, Duration patience) {
		return Flowable
			.using(() -> new Watch(client, key, afterSeq, patience),
					(watch) -> Flowable.<WatchedEvent>generate(watch::next), Watch::close)
			.subscribeOn(Schedulers.io());
	}

	private void next(Emitter<WatchedEvent> emitter) {
		WatchedEvent event = null;
		try {
			while (event == null && !this.over) {
				event = (this.stream != null) ? read() : connect();
			}
		}
		catch (InterruptedException ex) {
			this.over = true; // the subscriber has cancelled
		}
		if (event != null) {
			emitter.onNext(event);
		}
		else {
			emitter.onComplete();
		}
	}

	/** Requests the events after the last one. */
	private WatchedEvent connect() throws InterruptedException {
		try {
			HttpResponse<InputStream> response = this.client.settings()
				.httpClient()
				.send(request(), BodyHandlers.ofInputStream());
			this.client.reach().answered();
			if (response.statusCode() < 300) {
				listen(response);
			}
			else {
				refuse(response);
			}
		}
		catch (IOException ex) {
			waitAfter(this.client.reach().failed(ex, this.patience), 0);
		}
		return null;
	}

	private HttpRequest request() {
		String path = SessionMethods.path(this.key) + "/events:watch";
		String from = (this.seq != null) ? "?afterSeq=" + this.seq : "";
		HttpRequest.Builder request = this.client.request(this.key.userId(), path + from)
			.version(HttpClient.Version.HTTP_1_1)
			.header("Accept", "text/event-stream");
		return ((this.lastId != null) ? request.header("Last-Event-ID", this.lastId) : request).build();
	}

	private void listen(HttpResponse<InputStream> response) {
		this.stream = new EventStream(response.body());
		// The tag is the revision, a dot, the key of the session, and more.
		String[] tag = response.headers().firstValue("ETag").orElse("").replace("\"", "").split("\\.");
		String created = (tag.length > 1) ? tag[1] : "";
		if (this.creation != null && !this.creation.equals(created)) {
			this.over = true; // another session has the same id now
		}
		this.creation = created;
		if (this.over) { // also if the subscriber has cancelled
			this.stream.close();
		}
	}

	private void refuse(HttpResponse<InputStream> response) throws IOException, InterruptedException {
		int status = response.statusCode();
		String body = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
		if (this.creation != null && (status == 400 || status == 404)) {
			this.over = true; // deleted, or replaced by a session with fewer events
			return;
		}
		RuntimeException problem = ServiceClient.problem(response, ServiceClient.parse(body));
		if (!Attempts.TEMPORARY.contains(status)) {
			throw problem;
		}
		waitAfter(problem, ServiceClient.retryAfter(response).toMillis());
	}

	/** Reads one message; null if it has no event, or if the connection has ended. */
	private WatchedEvent read() throws InterruptedException {
		Map<String, String> message = this.stream.next();
		if (message != null) {
			return eventOf(message);
		}
		this.stream.close();
		this.stream = null;
		this.since = System.nanoTime();
		this.pause = SHORTEST_PAUSE;
		if (!this.over) {
			waitAfter(new SessionException("The connection has ended"), 0);
		}
		return null;
	}

	private WatchedEvent eventOf(Map<String, String> message) {
		String id = message.get("id");
		JsonNode data = ServiceClient.parse(message.getOrDefault("data", "{}"));
		if ("end".equals(message.get("event"))) {
			// After expired credentials, the watch reconnects with a new token.
			this.over = !data.path("reason").asText().equals("CREDENTIALS_EXPIRED");
			return null;
		}
		if (id == null) {
			return null;
		}
		long number = Long.parseLong(id.split("\\.")[0]);
		WatchedEvent event = data.isEmpty() ? null
				: new WatchedEvent(number, WireFormat.readEvent(data, this.key.id()));
		this.seq = number;
		this.lastId = id;
		return event;
	}

	private void waitAfter(RuntimeException problem, long asked) throws InterruptedException {
		long wait = Math.max(asked, this.pause / 2 + ThreadLocalRandom.current().nextLong(this.pause / 2));
		if (System.nanoTime() - this.since + wait * 1_000_000 > this.patience.toNanos()) {
			throw problem;
		}
		this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
		Thread.sleep(wait);
	}

	/**
	 * Closes the connection when the subscriber cancels, even while a thread waits for a
	 * message.
	 */
	@Override
	public void close() {
		this.over = true;
		EventStream listened = this.stream;
		if (listened != null) {
			listened.close();
		}
	}

}
