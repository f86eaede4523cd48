package dev.agentsessions.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads server-sent events as a browser does, which does not come back by itself. */
public final class EventSource implements AutoCloseable {

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final HttpResponse<InputStream> answer;

	private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

	private final List<String> comments = new ArrayList<>();

	private EventSource(HttpResponse<InputStream> answer) {
		this.answer = answer;
		Thread reader = new Thread(this::read, "event-source");
		reader.setDaemon(true);
		reader.start();
	}

	/** Opens a stream; headers come as names and values in turn. */
	public static EventSource open(int port, String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
			.header("Accept", "text/event-stream");
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return new EventSource(CLIENT.send(request.build(), BodyHandlers.ofInputStream()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	public int status() {
		return this.answer.statusCode();
	}

	public Optional<String> header(String name) {
		return this.answer.headers().firstValue(name);
	}

	/** Waits for the next message; the one without a type is the end of the stream. */
	public Message next() {
		return next(PATIENCE).orElseThrow(() -> new AssertionError("Nothing has come"));
	}

	/** Waits for the next message for so long. */
	public Optional<Message> next(Duration patience) {
		try {
			return Optional.ofNullable(this.messages.poll(patience.toNanos(), TimeUnit.NANOSECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** Waits for so many messages, and answers their ids. */
	public List<Long> nextIds(int count) {
		List<Long> ids = new ArrayList<>();
		for (int number = 0; number < count; number++) {
			ids.add(next().seq());
		}
		return ids;
	}

	/** The comments that have come. */
	public synchronized List<String> comments() {
		return List.copyOf(this.comments);
	}

	private void read() {
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(this.answer.body(), StandardCharsets.UTF_8))) {
			Message message = Message.EMPTY;
			String line = lines.readLine();
			while (line != null) {
				message = line.isEmpty() ? dispatch(message) : with(message, line);
				line = lines.readLine();
			}
		}
		catch (IOException ex) {
			// Cut off or closed, which is an end, too
		}
		this.messages.add(Message.EMPTY);
	}

	/** What ends without an empty line is forgotten. */
	private Message dispatch(Message message) {
		if (message.data() != null) {
			this.messages
				.add(new Message(message.id(), (message.type() != null) ? message.type() : "message", message.data()));
		}
		return Message.EMPTY;
	}

	private synchronized Message with(Message message, String line) {
		int colon = line.indexOf(':');
		if (colon == 0) {
			this.comments.add(line.substring(1));
			return message;
		}
		String value = line.substring(colon + 1).replaceFirst("^ ", "");
		return switch (line.substring(0, colon)) {
			case "id" -> new Message(value, message.type(), message.data());
			case "event" -> new Message(message.id(), value, message.data());
			case "data" -> new Message(message.id(), message.type(),
					(message.data() != null) ? message.data() + "\n" + value : value);
			default -> message;
		};
	}

	@Override
	public void close() {
		try {
			this.answer.body().close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A message.
	 *
	 * @param id its id
	 * @param type its type, {@code null} for the end of the stream
	 * @param data what it says
	 */
	public record Message(@Nullable String id, @Nullable String type, @Nullable String data) {

		static final Message EMPTY = new Message(null, null, null);

		public boolean isEndOfStream() {
			return this.type == null;
		}

		public long seq() {
			if (!"message".equals(this.type) || this.id == null) {
				throw new AssertionError("No event of a session: " + this);
			}
			return Long.parseLong(this.id.replaceFirst("[.].*", ""));
		}

		public JsonNode json() {
			return Json.read(String.valueOf(this.data));
		}

	}

}
