// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.adk.JsonBaseModel;
import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.InMemorySessionService;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionNotFoundException;
import com.google.adk.sessions.State;
import com.google.genai.types.Blob;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Single;
import myagent.Quickstart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests the contract of ADK's session service, the further guarantees of this one, and an
 * agent, against a running service.
 */
@EnabledIfEnvironmentVariable(named = "AGENT_SESSIONS_URL", matches = ".+")
class AgentSessionServiceTests {

	/** New in each run, so that a run does not see data of an earlier one. */
	private static final String APP = "java-" + UUID.randomUUID();

	private static final long START = Instant.parse("2026-01-01T00:00:00.123Z").toEpochMilli();

	private final AgentSessionService service = new AgentSessionService();

	@Test
	void createsReadsListsAndDeletes() {
		String user = "u \"1\" é&+";
		ConcurrentHashMap<String, Object> state = new ConcurrentHashMap<>(Map.of("k", 1, "temp:t", 2));
		Session session = this.service.createSession(APP, user, state, "own-1").blockingGet();
		assertEquals("own-1", session.id());
		assertEquals(Map.of("k", 1), Map.copyOf(get(session).state()));
		AgentSessionsException twice = assertThrows(AgentSessionsException.class,
				() -> this.service.createSession(APP, user, state, "own-1").blockingGet());
		assertEquals("ALREADY_EXISTS", twice.code());
		assertEquals(List.of("own-1"), this.service.listSessions(APP, user).blockingGet().sessionIds());
		assertNull(this.service.getSession(APP, "mallory", "own-1", Optional.empty()).blockingGet());
		this.service.deleteSession(APP, "mallory", "own-1").blockingAwait();
		assertEquals("own-1", get(session).id());
		this.service.deleteSession(APP, user, "own-1").blockingAwait();
		this.service.deleteSession(APP, user, "own-1").blockingAwait();
		assertThrows(SessionNotFoundException.class, () -> append(session, event(1).build()));
		for (String id : List.of("", ".", "..")) { // dots would change the path
			assertThrows(IllegalArgumentException.class, () -> this.service.deleteSession(APP, user, id).blockingAwait());
		}
	}

	@Test
	void checksWhatAListHasRead() {
		create("lister", Map.of());
		Session listed = this.service.listSessions(APP, "lister").blockingGet().sessions().get(0);
		append(listed, event(1).build());
		append(listed, event(2).build());
		Session again = this.service.listSessions(APP, "lister").blockingGet().sessions().get(0);
		append(listed, event(3).build());
		assertThrows(StaleSessionException.class, () -> append(again, event(4).build()));
	}

	@Test
	void readsBackTheWholeEvent() {
		Session session = create("alice", Map.of());
		Map<String, Object> args = new HashMap<>();
		args.put("some_key", null);
		Blob blob = Blob.builder().data(new byte[] { 1, -1, -2, 62, 63 }).mimeType("image/png").build();
		FunctionCall call = FunctionCall.builder().id("c1").name("f_g").args(args).build();
		Event sent = event(1, Map.of("a", Map.of("n", List.of(1, 2.5)), "user:u", "x", "gone", State.REMOVED))
			.content(Content.builder()
				.role("model")
				.parts(Part.fromText("look"), Part.builder().inlineData(blob).build(), Part.builder().functionCall(call).build())
				.build())
			.branch("a.b")
			.longRunningToolIds(Set.of("c1"))
			.turnComplete(true)
			.errorMessage("m")
			.build();
		sent.actions().setTransferToAgent("other");
		append(session, sent);
		assertEquals(tree(sent), tree(get(session).events().get(0)));
		assertEquals(1, this.service.listEvents(APP, "alice", session.id()).blockingGet().events().size());
		assertEquals(List.of(), this.service.listEvents(APP, "alice", "never").blockingGet().events());
	}

	@Test
	void readsManyEventsInOrder() {
		Session session = create("alice", Map.of());
		IntStream.range(0, 120).forEach((number) -> append(session, event(number).build()));
		assertEquals(ids(session), ids(get(session)));
		Instant time = Instant.ofEpochMilli(START + 118_000);
		assertEquals(3, window(session, GetSessionConfig.builder().numRecentEvents(3).build()).size());
		assertEquals("i-118", window(session, GetSessionConfig.builder().afterTimestamp(time).build()).get(0).invocationId());
	}

	@Test
	void changesTheObjectAsTheStoredSessionChanges() {
		Session session = create("changer", Map.of("k", 1, "removed", 1));
		append(session, event(1, Map.of("k", 2, "removed", State.REMOVED, "temp:t", 4, "user:u", 1)).build());
		assertEquals(Map.of("k", 2, "temp:t", 4, "user:u", 1), Map.copyOf(session.state()));
		Session stored = get(session);
		assertEquals(Map.of("k", 2, "user:u", 1), Map.copyOf(stored.state()));
		assertEquals(stored.lastUpdateTime(), session.lastUpdateTime());
		append(session, event(2, Map.of("p", 1)).partial(true).build());
		assertEquals(1, get(session).events().size());
		assertEquals(1, create("changer", Map.of()).state().get("user:u"));
	}

	@Test
	void turnsIntoTextWhatJsonCannotSay() {
		Session session = create("alice", Map.of("state", Thread.State.NEW));
		Object odd = new Object();
		FunctionResponse response = FunctionResponse.builder().name("f").response(Map.of("o", odd)).build();
		append(session, event(1, Map.of("o", List.of(odd, 1), "nan", Double.NaN, "ok", true))
			.content(Content.fromParts(Part.builder().functionResponse(response).build()))
			.build());
		Session stored = get(session);
		assertEquals(Map.of("state", "NEW", "o", List.of(odd.toString(), 1), "nan", "NaN", "ok", true),
				Map.copyOf(stored.state()));
		assertEquals(Map.of("o", odd.toString()), stored.events().get(0).functionResponses().get(0).response().get());
	}

	@Test
	void readsEventsOfOtherLanguages() throws Exception {
		Session session = create("alice", Map.of());
		post(System.getenv("AGENT_SESSIONS_URL") + "/apps/" + APP + "/users/alice/sessions/" + session.id() + "/events", """
				{"id": "e-1", "author": "a", "timestamp": 1767225600.25, "customMetadata": {"of": "Python"},
				"content": {"role": "model", "parts": [{"inlineData": {"mimeType": "image/png", "data": "_-8="}},
				{"functionCall": {"name": "f", "args": {"data": "_-8="}}}]},
				"actions": {"stateDelta": {"n": null, "k": 1}, "agentState": {"x": 1},
				"compaction": {"startTimestamp": 1.5, "endTimestamp": 2.5, "compactedContent": {"parts": []}}}}""");
		Session stored = get(session);
		assertFalse(stored.state().containsKey("n"));
		Event event = stored.events().get(0);
		assertEquals(1767225600250L, event.timestamp());
		assertEquals(1500, event.actions().compaction().get().startTimestamp());
		assertArrayEquals(new byte[] { -1, -17 }, event.content().get().parts().get().get(0).inlineData().get().data().get());
		assertEquals("_-8=", event.functionCalls().get(0).args().get().get("data"));
	}

	@Test
	void tellsTheStaleWriterAndTheRepairWorks() {
		Session first = create("alice", Map.of());
		Session second = get(first);
		append(first, event(1).build());
		Event late = event(2, Map.of("late", true)).build();
		assertThrows(StaleSessionException.class, () -> append(second, late));
		assertEquals(0, second.events().size());
		append(get(second), late);
		AgentSessionService.builder().checkStale(false).build().appendEvent(first, event(3).build()).blockingGet();
		assertEquals(3, get(first).events().size());
	}

	@Test
	void takesACopyOfAStaleObjectForStale() {
		Session session = create("alice", Map.of("k", 1));
		Session built = copy(session);
		Session read = Session.fromJson(session.toJson());
		append(session, event(1).build());
		AgentSessionService other = new AgentSessionService();
		for (Session stale : List.of(built, read)) {
			assertThrows(StaleSessionException.class, () -> append(stale, event(2).build()));
			assertThrows(StaleSessionException.class, () -> other.appendEvent(stale, event(2).build()).blockingGet());
			assertThrows(StaleSessionException.class, () -> this.service.rewind(stale, "i-1").blockingGet());
			assertThrows(StaleSessionException.class, () -> this.service.acquire(stale).blockingGet());
		}
		Session shared = get(session);
		append(session, event(2).build());
		assertThrows(StaleSessionException.class, () -> other.appendEvent(shared, event(3).build()).blockingGet());
	}

	@Test
	void appendsToACopyOfACurrentObject() {
		Session session = create("alice", Map.of());
		append(session, event(1).build());
		Session read = Session.fromJson(session.toJson());
		append(read, event(2).build());
		append(read, event(3).build());
		Session built = copy(read);
		new AgentSessionService().appendEvent(built, event(4).build()).blockingGet();
		assertEquals(ids(built), ids(get(session)));
		append(Session.builder(session.sessionKey()).build(), event(5).build()); // this object has read nothing
		assertEquals(5, get(session).events().size());
	}

	private static Session copy(Session session) {
		return Session.builder(session.sessionKey())
			.state(session.state())
			.events(new ArrayList<>(session.events()))
			.lastUpdateTime(session.lastUpdateTime())
			.build();
	}

	@Test
	void queuesAppendsToOneObject() {
		Session session = create("alice", Map.of());
		List<Single<Event>> appends = IntStream.range(0, 40)
			.mapToObj((number) -> this.service.appendEvent(session, event(number).build()))
			.toList();
		Single.mergeDelayError(appends).blockingSubscribe();
		assertEquals(40, session.events().size());
		assertEquals(ids(session), ids(get(session)));
	}

	@Test
	@EnabledIfEnvironmentVariable(named = "AGENT_SESSIONS_API_KEY", matches = ".+")
	void asksForATokenPerUser() {
		AgentSessionService perUser = AgentSessionService.builder()
			.token((user) -> user.equals("alice") ? System.getenv("AGENT_SESSIONS_API_KEY") : "wrong")
			.build();
		perUser.createSession(APP, "alice").blockingGet();
		AgentSessionsException refused = assertThrows(AgentSessionsException.class,
				() -> perUser.createSession(APP, "bob").blockingGet());
		assertEquals("401 UNAUTHENTICATED", refused.status() + " " + refused.code());
	}

	@Test
	@EnabledIfEnvironmentVariable(named = "CONFORMANCE_FAULTS", matches = ".+")
	void sendsAgainAndNeverDoubles() throws Exception {
		String proxy = System.getenv("CONFORMANCE_FAULTS");
		AgentSessionService spoilt = AgentSessionService.builder().url(proxy).build();
		Session session = spoilt.createSession(APP, "alice").blockingGet();
		for (String fault : List.of("429", "503", "unsent", "half", "unanswered", "half-answered", "unanswered,half,503")) {
			post(proxy + "/faults/" + fault, "");
			spoilt.appendEvent(session, event(1, Map.of("f", fault)).build()).blockingGet();
			assertEquals(ids(session), ids(get(session)), fault);
			post(proxy + "/faults/" + fault, "");
			String id = UUID.randomUUID().toString();
			assertEquals(id, spoilt.createSession(APP, "alice", null, id).blockingGet().id());
		}
		// The retry after a lost response still detects the append of another writer.
		append(get(session), event(8).build());
		post(proxy + "/faults/unanswered", "");
		assertThrows(StaleSessionException.class, () -> spoilt.appendEvent(session, event(9).build()).blockingGet());
		post(proxy + "/faults/" + "unsent,".repeat(50) + "unsent", "");
		AgentSessionsException lost = assertThrows(AgentSessionsException.class,
				() -> spoilt.appendEvent(session, event(9).build()).blockingGet());
		assertEquals("UNAVAILABLE", lost.code());
		assertTrue(lost.getMessage().startsWith("No answer from " + proxy + ": "), lost.getMessage());
		post(proxy + "/faults/pass", "");
		assertEquals(8, get(session).events().size());
	}

	@Test
	@EnabledIfEnvironmentVariable(named = "CONFORMANCE_RESTART", matches = ".+")
	void goesOnAfterARestartOfTheService() throws Exception {
		Path restart = Path.of(System.getenv("CONFORMANCE_RESTART"));
		Session session = create("alice", Map.of());
		append(session, event(1).build());
		Files.createFile(restart);
		while (Files.exists(restart)) {
			Thread.sleep(100);
		}
		append(session, event(2).build());
		assertEquals(ids(session), ids(get(session)));
	}

	@Test
	@EnabledIfEnvironmentVariable(named = "AGENT_SESSIONS_API_KEY", matches = ".+")
	void runsTheQuickstart() {
		Quickstart.main(new String[0]);
	}

	@Test
	void runsAnAgentAsInMemory() {
		Session here = Scripted.talk(new InMemorySessionService(), APP);
		Session there = Scripted.talk(this.service, APP);
		here.state().remove("temp:scratch"); // ADK Java's in-memory service keeps this key
		assertEquals(Map.copyOf(here.state()), Map.copyOf(there.state()));
		assertEquals(8, there.events().size());
		assertEquals(here.events().stream().map(AgentSessionServiceTests::comparable).toList(),
				there.events().stream().map(AgentSessionServiceTests::comparable).toList());
	}

	/**
	 * Removes fields that differ in each run, and temp: keys, which the in-memory service
	 * keeps in the event.
	 */
	private static JsonNode comparable(Event event) {
		ObjectNode json = (ObjectNode) tree(event);
		json.remove(List.of("invocationId", "timestamp"));
		((ObjectNode) json.at("/actions/stateDelta")).remove("temp:scratch");
		json.findParents("id").forEach((parent) -> ((ObjectNode) parent).remove("id"));
		return json;
	}

	private static JsonNode tree(Event event) {
		try {
			return JsonBaseModel.getMapper().readTree(event.toJson());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Session create(String user, Map<String, Object> state) {
		return this.service.createSession(APP, user, new ConcurrentHashMap<>(state), null).blockingGet();
	}

	private Session get(Session session) {
		return this.service.getSession(APP, session.userId(), session.id(), Optional.empty()).blockingGet();
	}

	private void append(Session session, Event event) {
		this.service.appendEvent(session, event).blockingGet();
	}

	private List<Event> window(Session session, GetSessionConfig config) {
		return this.service.getSession(APP, "alice", session.id(), Optional.of(config)).blockingGet().events();
	}

	private static List<String> ids(Session session) {
		return session.events().stream().map(Event::id).toList();
	}

	private static Event.Builder event(int number) {
		return event(number, Map.of());
	}

	private static Event.Builder event(int number, Map<String, Object> delta) {
		return Event.builder()
			.id(Event.generateEventId())
			.author("user")
			.invocationId("i-" + number)
			.timestamp(START + number * 1000L)
			.content(Content.fromParts(Part.fromText("message " + number)))
			.actions(EventActions.builder().stateDelta(new ConcurrentHashMap<>(delta)).build());
	}

	private static void post(String url, String body) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url))
			.POST(BodyPublishers.ofString(body))
			.header("Content-Type", "application/json")
			.header("Authorization", "Bearer " + System.getenv("AGENT_SESSIONS_API_KEY"))
			.build();
		HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
		assertEquals(200, response.statusCode(), response.body());
	}

}
