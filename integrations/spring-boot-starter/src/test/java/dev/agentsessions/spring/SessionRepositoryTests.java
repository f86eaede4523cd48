// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.agentsessions.spring.ConversationSessions.Key;
import myassistant.Scripted;
import myplanner.Planner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.session.EventFilter;
import org.springframework.ai.session.Session;
import org.springframework.ai.session.SessionEvent;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.MimeTypeUtils;
import tools.jackson.databind.JsonNode;

/** Tests the sessions of Spring AI Session with a running service. */
@ExtendWith(OutputCaptureExtension.class)
class SessionRepositoryTests {

	private final String app = "sessions-" + UUID.randomUUID();

	private final ConversationSessions sessions = new ConversationSessions(
			ChatMemoryTests.connection(ChatMemoryTests.URL));

	private final AgentSessionRepository repository = new AgentSessionRepository(this.sessions, this.app, null);

	@Test
	void sessionsComeBackAsTheyWere() {
		Session session = Session.builder()
			.id("trip")
			.userId("alice")
			.createdAt(Instant.parse("2026-01-02T03:04:05.123456789Z"))
			.expiresAt(null)
			.metadata(Map.of("tags", List.of("a"), "size", 2))
			.build();
		assertThat(this.repository.findById("trip")).isNull();
		this.repository.save(session);
		assertThat(this.repository.findById("trip")).usingRecursiveComparison().isEqualTo(session);
		append("trip", "e-1", new UserMessage("hello"));
		Session later = Session.builder().id("trip").userId("alice").metadata(Map.of("size", 3)).build();
		this.repository.save(later);
		assertThat(this.repository.findByUserId("alice")).usingRecursiveComparison().isEqualTo(List.of(later));
		assertThat(texts(EventFilter.all())).containsExactly("hello");
	}

	@Test
	void eventsComeBackAsTheyWere() {
		create("trip", "alice");
		Media photo = Media.builder().mimeType(MimeTypeUtils.IMAGE_PNG).data(new byte[] { 1, -1 }).id("m").build();
		AssistantMessage.ToolCall call = new AssistantMessage.ToolCall("c-1", "function", "look", "{ \"at\": 1 }");
		List<SessionEvent> events = Stream
			.of(new SystemMessage("Be kind."),
					UserMessage.builder().text("What?").media(photo).metadata(Map.of("n", 1)).build(),
					AssistantMessage.builder().content("").toolCalls(List.of(call)).build(),
					ToolResponseMessage.builder()
						.responses(List.of(new ToolResponseMessage.ToolResponse("c-1", "look", "\"a castle\"")))
						.build(),
					new AssistantMessage("A castle."))
			.map((message) -> SessionEvent.builder()
				.id("id/" + message.getMessageType() + UUID.randomUUID())
				.sessionId("trip")
				.timestamp(Instant.parse("2026-01-02T03:04:05.123456789Z"))
				.message(message)
				.metadata(SessionEvent.METADATA_SYNTHETIC, true)
				.branch("lead.helper")
				.build())
			.toList();
		events.forEach(this.repository::appendEvent);
		assertThat(this.repository.findEvents("trip", EventFilter.all())).usingRecursiveComparison()
			.ignoringFields("message.media.mimeType.toStringValue")
			.isEqualTo(events);
		List<JsonNode> stored = this.sessions.events(key("trip"), 1);
		assertThat(stored).extracting((event) -> event.path("content").path("parts").path(0).path("text").asString(""))
			.containsExactly("Be kind.", "What?", "", "", "A castle.");
		String turn = stored.get(1).path("id").asString();
		assertThat(stored.subList(1, 5)).extracting((event) -> event.path("invocationId").asString())
			.containsOnly(turn);
	}

	@Test
	void anEventIsStoredOnce() {
		create("trip", "alice");
		assertThat(this.repository.getEventVersion("trip")).isZero();
		append("trip", "e-1", new UserMessage("one"));
		append("trip", "e-1", new UserMessage("one"));
		append("trip", "e-1", new UserMessage("another one"));
		assertThat(texts(EventFilter.all())).containsExactly("one");
		assertThat(this.repository.getEventVersion("trip")).isOne();
		assertThatIllegalArgumentException().isThrownBy(() -> append("tour", "e-1", new UserMessage("one")));
	}

	@Test
	void twentyWritersLoseNoEvent() throws Exception {
		create("trip", "alice");
		List<Callable<Void>> writers = IntStream.range(0, 20).mapToObj((number) -> (Callable<Void>) () -> {
			append("trip", "e-" + number, new UserMessage("message " + number));
			return null;
		}).toList();
		ExecutorService threads = Executors.newFixedThreadPool(20);
		for (Future<Void> writer : threads.invokeAll(writers)) {
			writer.get();
		}
		threads.shutdown();
		assertThat(texts(EventFilter.all())).containsExactlyInAnyOrderElementsOf(
				IntStream.range(0, 20).mapToObj((number) -> "message " + number).toList());
		assertThat(this.repository.getEventVersion("trip")).isEqualTo(20);
	}

	@Test
	void aCompactionArchivesOnlyWhatItHasRead() {
		create("trip", "alice");
		List<SessionEvent> events = Stream.of("one", "two", "three")
			.map((text) -> append("trip", text, new UserMessage(text)))
			.toList();
		List<SessionEvent> summary = Stream.of("Sum up.", "one and two")
			.map((text) -> SessionEvent.builder().sessionId("trip").message(new UserMessage(text)).build())
			.toList();
		List<SessionEvent> retained = List.of(summary.get(0), summary.get(1), events.get(2));
		long version = this.repository.getEventVersion("trip");
		append("trip", "four", new UserMessage("four"));
		assertThat(this.repository.compactEvents("trip", events.subList(0, 2), retained, version)).isFalse();
		assertThat(texts(EventFilter.active())).containsExactly("one", "two", "three", "four");
		SessionEvent four = this.repository.findEvents("trip", EventFilter.lastN(1)).get(0);
		List<SessionEvent> all = List.of(summary.get(0), summary.get(1), events.get(2), four);
		assertThat(this.repository.compactEvents("trip", events.subList(0, 2), all, version + 1)).isTrue();
		append("trip", "five", new UserMessage("five"));
		assertThat(texts(EventFilter.active())).containsExactly("Sum up.", "one and two", "three", "four", "five");
		assertThat(texts(EventFilter.keywordSearch("o"))).containsExactly("one", "two", "one and two", "four");
		// Without a summary, the first one is dropped, and the history still has it
		assertThat(this.repository.compactEvents("trip", events.subList(2, 3), List.of(four),
				this.repository.getEventVersion("trip")))
			.isTrue();
		assertThat(texts(EventFilter.active())).containsExactly("four");
		assertThat(texts(EventFilter.all())).containsExactly("one", "two", "three", "four");
		assertThat(this.sessions.events(key("trip"), 1)).hasSize(8);
	}

	@Test
	void aRewindTakesBackACompaction() throws Exception {
		create("trip", "alice");
		SessionEvent one = append("trip", "one", new UserMessage("one"));
		SessionEvent summary = SessionEvent.builder()
			.id("sum")
			.sessionId("trip")
			.message(new UserMessage("sum"))
			.build();
		this.repository.compactEvents("trip", List.of(one), List.of(summary), 1);
		assertThat(texts(EventFilter.active())).containsExactly("sum");
		ServiceConnection connection = ChatMemoryTests.connection(ChatMemoryTests.URL);
		connection.send(connection.request("/apps/" + this.app + "/users/alice/sessions/trip:rewind")
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("{\"beforeInvocationId\": \"sum\", \"eventId\": \"back\"}"))
			.build());
		assertThat(texts(EventFilter.active())).containsExactly("one");
		assertThat(texts(EventFilter.all())).containsExactly("one");
	}

	@Test
	void aKeywordIsFoundInAllSessionsOfAUser() {
		for (String id : List.of("a", "b", "c")) {
			create(id, id.equals("c") ? "bob" : "alice");
			append(id, "e-1", new UserMessage("The castle of " + id));
			append(id, "e-2", new AssistantMessage("Yes."));
		}
		assertThat(this.repository.findByUserId("alice")
			.stream()
			.flatMap((session) -> this.repository.findEvents(session.id(), EventFilter.keywordSearch("CASTLE"))
				.stream()))
			.extracting((event) -> event.getMessage().getText())
			.containsExactlyInAnyOrder("The castle of a", "The castle of b");
	}

	@Test
	void expiredSessionsAreFoundUntilTheyAreDeleted() {
		Instant now = Instant.now();
		this.repository.save(Session.builder().id("old").userId("alice").expiresAt(now.minusSeconds(9)).build());
		this.repository.save(Session.builder().id("new").userId("bob").build());
		this.repository.save(Session.builder().id("forever").userId("bob").expiresAt(null).build());
		assertThat(this.repository.findExpiredSessionIds(now)).containsExactly("old");
		this.repository.delete("old");
		this.repository.delete("old");
		assertThat(this.repository.findExpiredSessionIds(now)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "team/1", "a\\b;c%d:e~2f", "..", "日本 /", "a+b ?#" })
	void namesMayHaveAnyCharacters(String name) {
		create(name, "team/" + name);
		append(name, name, new UserMessage("hello"));
		Session found = Objects.requireNonNull(this.repository.findById(name));
		assertThat(found.id()).isEqualTo(name);
		assertThat(found.userId()).isEqualTo("team/" + name);
		assertThat(this.repository.findByUserId("team/" + name)).hasSize(1);
		assertThat(this.repository.findEvents(name, EventFilter.all())).extracting(SessionEvent::getId)
			.containsExactly(name);
	}

	@Test
	void anIdBelongsToOneUserUnlessTheApplicationSaysWhoThatIs() {
		create("trip", "alice");
		assertThatIllegalArgumentException().isThrownBy(() -> create("trip", "bob"));
		AgentSessionRepository ofBob = new AgentSessionRepository(this.sessions, this.app, () -> "bob");
		assertThat(ofBob.findById("trip")).isNull();
		ofBob.save(Session.builder().id("trip").userId("bob").build());
		assertThat(Objects.requireNonNull(ofBob.findById("trip")).userId()).isEqualTo("bob");
		assertThatIllegalStateException().isThrownBy(() -> this.repository.findById("trip"))
			.withMessageContaining("AgentSessionsUser");
	}

	@Test
	void theProgramOfThePagesPrintsWhatTheySay(CapturedOutput output) throws IOException {
		SpringApplication.run(new Class<?>[] { Planner.class, Scripted.class },
				new String[] { "--spring.application.name=" + this.app });
		assertThat(output).contains("Hello, Ada!").contains("Your name is Ada.");
		assertThat(texts(EventFilter.active())).containsExactly("My name is Ada.", "Hello, Ada!", "What is my name?",
				"Your name is Ada.");
		String program = Files.readString(Path.of("src/test/java/myplanner/Planner.java"));
		assertThat(Files.readString(Path.of("../../docs/frameworks.md"))).contains(program);
	}

	private void create(String id, String user) {
		this.repository.save(Session.builder().id(id).userId(user).build());
	}

	private SessionEvent append(String session, String id, Message message) {
		SessionEvent event = SessionEvent.builder().id(id).sessionId(session).message(message).build();
		this.repository.appendEvent(event);
		return event;
	}

	private List<String> texts(EventFilter filter) {
		return this.repository.findEvents("trip", filter)
			.stream()
			.map((event) -> event.getMessage().getText())
			.toList();
	}

	private Key key(String session) {
		return new Key(this.app, "alice", session);
	}

}
