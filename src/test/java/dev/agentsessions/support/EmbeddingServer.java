package dev.agentsessions.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An embedding model with one dimension for each of a few topics: words of one topic mean
 * the same. It accepts at most {@value #MAX_INPUTS} texts at once, and none with the word
 * poison.
 */
public final class EmbeddingServer {

	public static final int MAX_INPUTS = 32;

	/** Each word of a list means the same. */
	private static final List<List<String>> TOPICS = List.of(List.of("car", "automobile", "vehicle"),
			List.of("tulip", "flower", "rose"), List.of("bread", "bakery", "oven"));

	private static final double ANY_TEXT = 0.1;

	private final HttpServer server;

	private final List<Asked> asked = new CopyOnWriteArrayList<>();

	private volatile int status = 200;

	private volatile @Nullable String answer;

	private volatile @Nullable CountDownLatch held;

	private volatile int heldAfterBytes;

	public EmbeddingServer() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.createContext("/v1/embeddings", this::answer);
		this.server.setExecutor(Executors.newCachedThreadPool((task) -> {
			Thread thread = new Thread(task, "embedding-server");
			thread.setDaemon(true);
			return thread;
		}));
		this.server.start();
	}

	public String url() {
		return "http://localhost:" + this.server.getAddress().getPort() + "/v1/embeddings";
	}

	/** Answers as usual from now on, also what is held. */
	public void work() {
		this.status = 200;
		this.answer = null;
		CountDownLatch latch = this.held;
		this.held = null;
		if (latch != null) {
			latch.countDown();
		}
	}

	/** Answers with a status of an error from now on. */
	public void fail(int errorStatus) {
		this.status = errorStatus;
	}

	/** Answers with this body from now on. */
	public void answer(String body) {
		this.answer = body;
	}

	/** Answers no request until {@link #work()}. */
	public void hold() {
		this.heldAfterBytes = 0;
		this.held = new CountDownLatch(1);
	}

	/** Sends only the first byte of an answer until {@link #work()}. */
	public void holdAfterFirstByte() {
		this.heldAfterBytes = 1;
		this.held = new CountDownLatch(1);
	}

	/** Returns the requests so far. */
	public List<Asked> asked() {
		return List.copyOf(this.asked);
	}

	private void answer(HttpExchange exchange) throws IOException {
		JsonNode body = JsonMapper.shared().readTree(exchange.getRequestBody());
		List<String> inputs = body.at("/input").valueStream().map(JsonNode::stringValue).toList();
		this.asked.add(new Asked(body, inputs, exchange.getRequestHeaders().getFirst("Authorization")));
		if (this.heldAfterBytes == 0) {
			await();
		}
		boolean refused = inputs.size() > MAX_INPUTS || inputs.stream().anyMatch((text) -> text.contains("poison"));
		int sent = (this.status == 200 && refused) ? 400 : this.status;
		byte[] bytes = Objects.requireNonNullElseGet(this.answer, () -> vectors(inputs))
			.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(sent, bytes.length);
		exchange.getResponseBody().write(bytes, 0, 1);
		exchange.getResponseBody().flush();
		await();
		exchange.getResponseBody().write(bytes, 1, bytes.length - 1);
		exchange.close();
	}

	private void await() {
		CountDownLatch latch = this.held;
		try {
			if (latch != null) {
				latch.await();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** The last text comes first: only the index says which one it is. */
	private static String vectors(List<String> inputs) {
		List<Object> data = new ArrayList<>();
		for (int i = inputs.size() - 1; i >= 0; i--) {
			data.add(Map.of("object", "embedding", "index", i, "embedding", vector(inputs.get(i))));
		}
		return JsonMapper.shared().writeValueAsString(Map.of("object", "list", "data", data));
	}

	private static List<Double> vector(String text) {
		List<String> words = List.of(text.toLowerCase(Locale.ROOT).split("\\W+"));
		return IntStream.rangeClosed(0, TOPICS.size())
			.mapToObj((topic) -> (topic == TOPICS.size()) ? ANY_TEXT
					: (double) words.stream().filter(TOPICS.get(topic)::contains).count())
			.toList();
	}

	/**
	 * A request.
	 *
	 * @param body its body
	 * @param inputs the texts
	 * @param authorization the header
	 */
	public record Asked(JsonNode body, List<String> inputs, @Nullable String authorization) {

	}

}
