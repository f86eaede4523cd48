// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.google.adk.events.Event;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionKey;
import com.google.adk.sessions.SessionNotFoundException;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests time travel, explained state, forks, rewinds and pending calls. */
@EnabledIfEnvironmentVariable(named = "AGENT_SESSIONS_URL", matches = ".+")
class HistoryTests {

	private final AgentSessionService service = new AgentSessionService();

	@Test
	void readsASessionAsItWas() {
		Session session = Trip.of(this.service, Map.of("city", "Oslo"));
		List<Map<String, Object>> states = new ArrayList<>();
		for (int seq = 0; seq <= 2; seq++) {
			Session then = this.service.sessionAt(session.sessionKey(), seq, null).blockingGet();
			assertEquals(Trip.ids(session).subList(0, seq), Trip.ids(then));
			states.add(Trip.state(then));
		}
		assertEquals(List.of(Map.of("city", "Oslo"), Map.of("city", "Rome", "days", 3),
				Map.of("city", "Rome", "days", 5, "train", true)), states);
		GetSessionConfig newest = GetSessionConfig.builder().numRecentEvents(1).build();
		assertEquals(Trip.ids(session).subList(1, 2),
				Trip.ids(this.service.sessionAt(session.sessionKey(), 2, newest).blockingGet()));
	}

	@Test
	void doesNotAppendToThePast() {
		Session session = Trip.of(this.service, Map.of());
		Session then = this.service.sessionAt(session.sessionKey(), 1, null).blockingGet();
		assertThrows(StaleSessionException.class, () -> Trip.append(this.service, then, Trip.turn("t3", Map.of())));
		AgentSessionsException beyond = assertThrows(AgentSessionsException.class,
				() -> this.service.sessionAt(session.sessionKey(), 3, null).blockingGet());
		assertEquals("INVALID_ARGUMENT", beyond.code());
		assertNull(this.service.sessionAt(new SessionKey(Trip.APP, "mira", "none"), 0, null).blockingGet());
	}

	@Test
	void explainsTheStateKeyByKey() {
		Session session = Trip.of(this.service, Map.of("mood", "open"));
		ExplainedState now = this.service.stateAt(session.sessionKey()).blockingGet();
		assertEquals(2, now.seq());
		assertEquals(session.lastUpdateTime(), now.lastUpdateTime());
		assertTrue(now.sharedStateCurrent());
		ExplainedState.Source source = new ExplainedState.Source(1, session.events().get(0).id(), "planner",
				Instant.ofEpochMilli(1_900_000_001_500L));
		assertEquals(new ExplainedState.Value("session", "Rome", Optional.of(source)), now.keys().get("city"));
		assertEquals(new ExplainedState.Value("session", "open", Optional.empty()), now.keys().get("mood"));
		ExplainedState before = this.service.stateAt(session.sessionKey(), 0).blockingGet();
		assertEquals("0 [mood] false", before.seq() + " " + before.keys().keySet() + " " + before.sharedStateCurrent());
		assertThrows(SessionNotFoundException.class,
				() -> this.service.stateAt(new SessionKey(Trip.APP, "mira", "none")).blockingGet());
	}

	@Test
	void forksASessionThatGoesOnAlone() {
		Session session = Trip.of(this.service, Map.of());
		SessionKey key = session.sessionKey();
		ForkOptions options = ForkOptions.before("t2").newSessionId(session.id() + "-plane").displayName("What if?");
		Session fork = this.service.fork(key, options).blockingGet();
		assertEquals(session.id() + "-plane", fork.id());
		assertEquals(Trip.ids(session).subList(0, 1), Trip.ids(fork));
		Trip.append(this.service, fork, Trip.turn("t2", Map.of("plane", true)));
		assertEquals(Map.of("city", "Rome", "days", 3, "plane", true), Trip.state(Trip.read(this.service, fork)));
		assertEquals(Trip.ids(session), Trip.ids(Trip.read(this.service, session)));
		assertEquals(0, this.service.fork(key, ForkOptions.at(0)).blockingGet().events().size());
		assertEquals(Trip.ids(session), Trip.ids(this.service.fork(key, ForkOptions.ALL).blockingGet()));
		assertEquals("ALREADY_EXISTS", refusal(key, ForkOptions.ALL.newSessionId(session.id())));
		assertEquals("INVOCATION_NOT_FOUND", refusal(key, ForkOptions.before("none")));
	}

	private String refusal(SessionKey key, ForkOptions options) {
		return assertThrows(AgentSessionsException.class, () -> this.service.fork(key, options).blockingGet()).code();
	}

	@Test
	void rewindsToTheStateThatTheSessionWasCreatedWith() {
		Session session = Trip.of(this.service, Map.of("city", "Oslo"));
		Event event = this.service.rewind(session, "t1").blockingGet();
		assertSame(event, session.events().get(2));
		assertEquals(Map.of("city", "Oslo"), Trip.state(session));
		assertEquals(Map.of("city", "Oslo"), Trip.state(Trip.read(this.service, session)));
		Trip.append(this.service, session, Trip.turn("t3", Map.of()));
		assertEquals(Trip.ids(session), Trip.ids(Trip.read(this.service, session)));
	}

	@Test
	void hidesFromAModelWhatWasTakenBack() {
		Session session = Trip.of(this.service, Map.of());
		this.service.rewind(session, "t2").blockingGet();
		Trip.append(this.service, session, Trip.turn("t3", Map.of()));
		AgentSessionService context = AgentSessionService.builder().contextView(true).build();
		List<String> left = List.of(session.events().get(0).id(), session.events().get(3).id());
		assertEquals(left, Trip.ids(Trip.read(context, session)));
		assertFalse(left.equals(Trip.ids(Trip.read(this.service, session))));
		Trip.append(context, Trip.read(context, session), Trip.turn("t4", Map.of()));
		assertThrows(StaleSessionException.class, () -> this.service.rewind(session, "t3").blockingGet());
		assertEquals(4, session.events().size());
	}

	@Test
	void listsTheCallsThatWaitForAnAnswer() {
		Session session = Trip.of(this.service, Map.of());
		FunctionCall book = FunctionCall.builder().id("c1").name("book").args(Map.of("city", "Rome")).build();
		Event asking = asking(List.of(book));
		Trip.append(this.service, session, asking);
		assertEquals(List.of(new PendingCall(asking.id(), 3, session.lastUpdateTime(), book)), pending(session));
		FunctionResponse yes = FunctionResponse.builder().id("c1").name("book").response(Map.of("ok", true)).build();
		Content answer = Content.fromParts(Part.builder().functionResponse(yes).build());
		Event answered = Trip.turn("t3", Map.of()).toBuilder().author("user").content(answer).build();
		Trip.append(this.service, session, answered);
		assertEquals(List.of(), pending(session));

		List<FunctionCall> page = IntStream.range(0, 1000)
			.mapToObj((number) -> FunctionCall.builder().id("n" + number).name("book").build())
			.toList();
		Trip.append(this.service, session, asking(page));
		Trip.append(this.service, session, asking(List.of(book)));
		List<PendingCall> all = pending(session);
		assertEquals("1001 6", all.size() + " " + all.get(1000).seq());
		assertThrows(SessionNotFoundException.class,
				() -> this.service.pendingCalls(new SessionKey(Trip.APP, "mira", "none")).blockingGet());
	}

	private static Event asking(List<FunctionCall> calls) {
		List<Part> parts = calls.stream().map((call) -> Part.builder().functionCall(call).build()).toList();
		return Trip.turn("t3", Map.of())
			.toBuilder()
			.content(Content.builder().role("model").parts(parts).build())
			.longRunningToolIds(calls.stream().map((call) -> call.id().get()).collect(Collectors.toSet()))
			.build();
	}

	private List<PendingCall> pending(Session session) {
		return this.service.pendingCalls(session.sessionKey()).blockingGet();
	}

	@Test
	@EnabledIfEnvironmentVariable(named = "CONFORMANCE_FAULTS", matches = ".+")
	void rewindsAndForksOnceWhenTheAnswerGetsLost() throws Exception {
		AgentSessionService spoilt = AgentSessionService.builder().url(System.getenv("CONFORMANCE_FAULTS")).build();
		Session session = Trip.of(spoilt, Map.of());
		spoil("unanswered");
		spoilt.rewind(session, "t2").blockingGet();
		spoil("unanswered");
		Session fork = spoilt.fork(session.sessionKey(), ForkOptions.ALL).blockingGet();
		assertEquals(3, session.events().size());
		assertEquals(Trip.ids(session), Trip.ids(fork));
		assertEquals(Trip.ids(session), Trip.ids(Trip.read(this.service, session)));
	}

	static void spoil(String how) throws IOException, InterruptedException {
		URI faults = URI.create(System.getenv("CONFORMANCE_FAULTS") + "/faults/" + how);
		HttpRequest request = HttpRequest.newBuilder(faults).POST(BodyPublishers.noBody()).build();
		HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
	}

}
