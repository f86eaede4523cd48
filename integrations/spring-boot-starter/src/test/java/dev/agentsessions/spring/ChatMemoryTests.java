// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agentsessions.spring.ConversationSessions.Key;
import myassistant.Guide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.MimeTypeUtils;
import tools.jackson.databind.JsonNode;

/** Tests the conversations of Spring AI with a running service. */
@ExtendWith(OutputCaptureExtension.class)
class ChatMemoryTests {

	static final String URL = System.getenv().getOrDefault("AGENT_SESSIONS_URL", "http://localhost:8080");

	private final String app = "memory-" + UUID.randomUUID();

	private final ConversationSessions sessions = new ConversationSessions(connection(URL));

	private final AgentSessionChatMemoryRepository repository = repository("alice");

	@Test
	void messagesComeBackAsTheyWere() {
		Media photo = Media.builder()
			.mimeType(MimeTypeUtils.IMAGE_PNG)
			.data(new byte[] { 1, -1, 62, 63 })
			.id("m-1")
			.name("photo")
			.build();
		Media link = Media.builder()
			.mimeType(MimeTypeUtils.IMAGE_JPEG)
			.data(URI.create("https://example.com/a"))
			.build();
		List<Message> messages = List.of(
				SystemMessage.builder().text("Be kind.").metadata(Map.of("version", 2)).build(),
				UserMessage.builder()
					.text("What is it?")
					.media(photo, link)
					.metadata(Map.of("tags", List.of("a")))
					.build(),
				AssistantMessage.builder()
					.content("")
					.properties(Map.of("finishReason", "STOP"))
					.toolCalls(List.of(new AssistantMessage.ToolCall("c-1", "function", "look", "{ \"at\": 1 }"),
							new AssistantMessage.ToolCall("c-2", "function", "look", "not JSON")))
					.build(),
				ToolResponseMessage.builder()
					.responses(List.of(new ToolResponseMessage.ToolResponse("c-1", "look", "\"a castle\""),
							new ToolResponseMessage.ToolResponse("c-2", "look", "{\"error\":true}")))
					.metadata(Map.of("took", 1.5))
					.build(),
				new AssistantMessage("A castle."));
		this.repository.saveAll("trip", messages);
		List<Message> read = this.repository.findByConversationId("trip");
		assertThat(read).isEqualTo(messages);
		List<Media> media = ((UserMessage) read.get(1)).getMedia();
		// A type of media keeps its text after the first use
		assertThat(media).usingRecursiveComparison()
			.ignoringFields("mimeType.toStringValue")
			.isEqualTo(List.of(photo, link));
	}

	@Test
	void theConsoleAndTheSearchReadWhatWasSaid() {
		this.repository.saveAll("trip",
				List.of(new UserMessage("Where is it?"),
						AssistantMessage.builder()
							.content("Let me look.")
							.toolCalls(List.of(new AssistantMessage.ToolCall("c-1", "function", "look", "{\"at\":1}")))
							.build(),
						ToolResponseMessage.builder()
							.responses(List.of(new ToolResponseMessage.ToolResponse("c-1", "look", "\"Kyoto\"")))
							.build()));
		List<JsonNode> events = events("trip");
		assertThat(events).extracting((event) -> event.path("content").toString())
			.containsExactly("{\"role\":\"user\",\"parts\":[{\"text\":\"Where is it?\"}]}",
					"{\"role\":\"model\",\"parts\":[{\"text\":\"Let me look.\"},"
							+ "{\"functionCall\":{\"id\":\"c-1\",\"name\":\"look\",\"args\":{\"at\":1}}}]}",
					"{\"role\":\"user\",\"parts\":[{\"functionResponse\":"
							+ "{\"id\":\"c-1\",\"name\":\"look\",\"response\":{\"result\":\"Kyoto\"}}}]}");
		assertThat(events).extracting((event) -> event.path("author").asString())
			.containsExactly("user", "assistant", "assistant");
		assertThat(events).extracting((event) -> event.path("invocationId").asString())
			.containsOnly(events.get(0).path("id").asString());
	}

	@Test
	void aWindowThatDropsMessagesAppendsOnlyWhatIsNew() {
		ChatMemory memory = memory(this.repository, 4);
		memory.add("trip", new SystemMessage("Be kind."));
		for (int number = 0; number < 6; number++) {
			memory.add("trip", new UserMessage("again"));
			memory.add("trip", new AssistantMessage("answer " + number));
		}
		assertThat(texts(memory.get("trip"))).startsWith("Be kind.").endsWith("again", "answer 5").hasSizeLessThan(5);
		assertThat(events("trip")).hasSize(13);
		List<String> answers = IntStream.range(0, 6).mapToObj((number) -> "answer " + number).toList();
		assertThat(texts(this.sessions.read(key("trip"), true)
			.events()
			.stream()
			.map(MessageFormat::read)
			.flatMap((message) -> message.stream())
			.toList())).containsAll(answers);
	}

	@Test
	void aSaveWithoutAReadReplacesTheWindow() throws Exception {
		List<Message> first = List.of(new UserMessage("one"), new UserMessage("two"));
		this.repository.saveAll("trip", first);
		repository("alice").saveAll("trip", List.of(new UserMessage("two"), new UserMessage("three")));
		assertThat(texts(this.repository.findByConversationId("trip"))).containsExactly("two", "three");
		assertThat(events("trip")).hasSize(3);
		this.repository.saveAll("trip", List.of());
		assertThat(this.repository.findByConversationId("trip")).isEmpty();
		assertThat(events("trip")).hasSize(4);
	}

	@Test
	void aLongWindowIsReadAsAWhole() {
		List<Message> messages = IntStream.range(0, 250)
			.mapToObj((number) -> (Message) new UserMessage("message " + number))
			.toList();
		this.repository.saveAll("trip", messages);
		assertThat(this.repository.findByConversationId("trip")).isEqualTo(messages);
	}

	@Test
	void fourThreadsLoseNothingThatTheWindowKeeps() throws Exception {
		ChatMemory memory = memory(this.repository, 100);
		List<Callable<Void>> writers = IntStream.range(0, 4).mapToObj((thread) -> (Callable<Void>) () -> {
			for (int number = 0; number < 10; number++) {
				memory.add("trip", new UserMessage(thread + "-" + number));
			}
			return null;
		}).toList();
		ExecutorService threads = Executors.newFixedThreadPool(4);
		for (Future<Void> writer : threads.invokeAll(writers)) {
			writer.get();
		}
		threads.shutdown();
		List<String> all = IntStream.range(0, 40).mapToObj((number) -> number / 10 + "-" + number % 10).toList();
		assertThat(texts(memory.get("trip"))).containsExactlyInAnyOrderElementsOf(all);
		assertThat(events("trip")).hasSize(40);
	}

	@Test
	void lostResponsesStoreNothingTwice() throws IOException {
		Set<String> lost = ConcurrentHashMap.newKeySet();
		HttpServer proxy = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		proxy.createContext("/", (exchange) -> forward(exchange, lost));
		proxy.start();
		AgentSessionChatMemoryRepository through = new AgentSessionChatMemoryRepository(
				new ConversationSessions(connection("http://127.0.0.1:" + proxy.getAddress().getPort())), this.app,
				() -> "alice");
		ChatMemory memory = memory(through, 2);
		memory.add("trip", new UserMessage("one"));
		memory.add("trip", List.of(new UserMessage("two"), new UserMessage("three")));
		assertThat(texts(memory.get("trip"))).containsExactly("two", "three");
		proxy.stop(0);
		assertThat(lost).hasSizeGreaterThanOrEqualTo(3);
		assertThat(events("trip")).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "team/1", "a\\b;c%d:e~2f", "..", "日本 /", "a+b ?#" })
	void namesMayHaveAnyCharacters(String name) {
		AgentSessionChatMemoryRepository other = repository("team/" + name);
		other.saveAll(name, List.of(new UserMessage("hello")));
		assertThat(other.findConversationIds()).containsExactly(name);
		assertThat(texts(other.findByConversationId(name))).containsExactly("hello");
		assertThat(this.repository.findByConversationId(name)).isEmpty();
	}

	@Test
	void aClearedConversationKeepsItsHistory() {
		this.repository.deleteByConversationId("trip");
		ChatMemory memory = memory(this.repository, 10);
		memory.add("trip", List.of(new UserMessage("one"), new UserMessage("two")));
		List<JsonNode> history = events("trip");
		String tag = Objects.requireNonNull(this.sessions.read(key("trip"), false).tag());
		memory.clear("trip");
		memory.clear("trip");
		assertThat(events("trip")).hasSize(3).startsWith(history.toArray(JsonNode[]::new));
		assertThat(this.sessions.read(key("trip"), false).tag()).contains(tag.split("\\.")[1]); // the same session
		assertThat(this.repository.findConversationIds()).isEmpty();
		assertThat(this.repository.findByConversationId("trip")).isEmpty();
		this.repository.saveAll("trip", List.of(new UserMessage("three")));
		assertThat(this.repository.findConversationIds()).containsExactly("trip");
		assertThat(texts(this.repository.findByConversationId("trip"))).containsExactly("three");
	}

	@Test
	void theProgramOfThePagesPrintsWhatTheySay(CapturedOutput output) throws IOException {
		Guide.main(
				new String[] { "--spring.application.name=" + this.app, "--agent-sessions.chat-memory.user-id=alice" });
		assertThat(output).contains("Hello, Ada!").contains("Your name is Ada.");
		assertThat(texts(this.repository.findByConversationId("trip"))).containsExactly("My name is Ada.",
				"Hello, Ada!", "What is my name?", "Your name is Ada.");
		String program = Files.readString(Path.of("src/test/java/myassistant/Guide.java"));
		assertThat(Files.readString(Path.of("../../docs/frameworks.md"))).contains(program, "Your name is Ada.");
	}

	/** Forwards a request; the response to the first attempt of each write is lost. */
	private static void forward(HttpExchange exchange, Set<String> lost) throws IOException {
		byte[] body = exchange.getRequestBody().readAllBytes();
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(URL + exchange.getRequestURI()))
			.method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
		Stream.of("Content-Type", "If-Match", "Idempotency-Key")
			.filter(exchange.getRequestHeaders()::containsKey)
			.forEach((name) -> request.header(name, exchange.getRequestHeaders().getFirst(name)));
		HttpResponse<byte[]> response = connection(URL).http()
			.sendAsync(request.build(), BodyHandlers.ofByteArray())
			.join();
		if (body.length > 0 && lost.add(exchange.getRequestURI() + new String(body))) {
			exchange.close();
			return;
		}
		response.headers().firstValue("ETag").ifPresent((tag) -> exchange.getResponseHeaders().set("ETag", tag));
		exchange.sendResponseHeaders(response.statusCode(), response.body().length);
		exchange.getResponseBody().write(response.body());
		exchange.close();
	}

	static ServiceConnection connection(String url) {
		return new ServiceConnection(url, (user) -> System.getenv("AGENT_SESSIONS_API_KEY"), Duration.ofMinutes(2),
				Duration.ofMinutes(2), HttpClient.newHttpClient());
	}

	private static ChatMemory memory(AgentSessionChatMemoryRepository repository, int size) {
		return MessageWindowChatMemory.builder().chatMemoryRepository(repository).maxMessages(size).build();
	}

	private static List<String> texts(List<Message> messages) {
		return messages.stream().map(Message::getText).toList();
	}

	private AgentSessionChatMemoryRepository repository(String user) {
		return new AgentSessionChatMemoryRepository(this.sessions, this.app, () -> user);
	}

	private Key key(String conversation) {
		return new Key(this.app, "alice", conversation);
	}

	private List<JsonNode> events(String conversation) {
		return this.sessions.read(key(conversation), true).events();
	}

}
