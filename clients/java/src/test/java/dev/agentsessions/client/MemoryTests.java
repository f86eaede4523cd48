// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.google.adk.agents.LlmAgent;
import com.google.adk.artifacts.InMemoryArtifactService;
import com.google.adk.events.Event;
import com.google.adk.memory.BaseMemoryService;
import com.google.adk.memory.MemoryEntry;
import com.google.adk.runner.Runner;
import com.google.adk.sessions.BaseSessionService;
import com.google.adk.sessions.InMemorySessionService;
import com.google.adk.sessions.Session;
import com.google.adk.tools.LoadMemoryTool;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the memory service: directly, and with an agent that has ADK's memory tool. */
@EnabledIfEnvironmentVariable(named = "AGENT_SESSIONS_URL", matches = ".+")
class MemoryTests {

	private static final Part SECRET = Part.builder().text("secret").thought(true).build();

	/** New for each test, so that a test finds nothing of another one. */
	private final String user = UUID.randomUUID().toString();

	private final AgentSessionService sessions = new AgentSessionService();

	private final AgentSessionMemoryService memory = new AgentSessionMemoryService();

	@Test
	void findsWhatWasSaidWithTheTurnsAroundIt() {
		Session session = create(this.sessions);
		say(session, "user", "Where do we stay?");
		Event hit = say(session, "agent", "In Kyoto, near the river");
		say(session, "user", "Fine");
		this.memory.addSessionToMemory(session).blockingAwait();
		List<MemoryEntry> found = search(this.memory, "kyoto");
		assertEquals(List.of("user: Where do we stay?\nagent: In Kyoto, near the river\nuser: Fine"), texts(found));
		assertEquals("agent", found.get(0).author());
		assertEquals(Instant.ofEpochMilli(hit.timestamp()).toString(), found.get(0).timestamp());
		assertEquals("model", found.get(0).content().role().get());
		assertTrue(this.memory.searchMemory(Trip.APP, "other", "kyoto").blockingGet().memories().isEmpty());
		AgentSessionMemoryService alone = AgentSessionMemoryService.builder().around(0).limit(2).build();
		assertEquals(List.of("In Kyoto, near the river"), texts(search(alone, "kyoto")));
		assertEquals(2, search(alone, "kyoto stay fine").size());
	}

	@Test
	void leavesOutTheSessionInWhichTheUserTalks() {
		say(create(this.sessions), "user", "We stay in Kyoto");
		Session current = create(this.sessions);
		say(current, "user", "Is Kyoto nice?");
		assertEquals(2, search(this.memory, "kyoto").size());
		assertEquals(List.of("We stay in Kyoto"),
				texts(this.memory.searchMemory(current.sessionKey(), "kyoto").blockingGet().memories()));
	}

	@Test
	void findsNothingForOddQueries() {
		say(create(this.sessions), "user", "We stay in Kyoto");
		for (String query : List.of("x".repeat(3000), "x" + "\uD83D\uDDFB".repeat(3000), "\uD83D", "\0", "\\", "%_",
				"+-\"(*) & | ! <->")) {
			assertEquals(List.of(), search(this.memory, query));
		}
		assertEquals(1, search(this.memory, "kyoto " + "\uD83D\uDDFB".repeat(3000)).size());
	}

	@Test
	void sendsNoRequestForABlankQuery() {
		AgentSessionMemoryService away = AgentSessionMemoryService.builder()
			.url("http://127.0.0.1:1")
			.unavailableTimeout(Duration.ZERO)
			.build();
		assertEquals(List.of(), search(away, " \n\t"));
		assertEquals(List.of(), search(away, null));
	}

	@Test
	void storesEventsOfOtherSessionServicesOnce() throws Exception {
		BaseSessionService elsewhere = new InMemorySessionService();
		Session session = create(elsewhere);
		Event tea = event("user", Part.fromText("Likes tea"));
		elsewhere.appendEvent(session, tea).blockingGet();
		Event unnamed = event("agent", SECRET, Part.fromText("Green tea"));
		unnamed.setId(null);
		elsewhere.appendEvent(session, unnamed).blockingGet();
		elsewhere.appendEvent(session, event("agent", SECRET)).blockingGet();
		elsewhere.appendEvent(session, Event.builder().author("agent").build()).blockingGet();
		for (int time = 0; time < 2; time++) {
			this.memory.addSessionToMemory(session).blockingAwait();
		}
		assertEquals(2, facts()); // a search would hide doubles
		List<MemoryEntry> found = search(this.memory, "tea secret");
		assertEquals(List.of("Green tea", "Likes tea"), texts(found).stream().sorted().toList());
		MemoryEntry likes = found.get(texts(found).indexOf("Likes tea"));
		assertEquals("user", likes.author());
		assertEquals(Instant.ofEpochMilli(tea.timestamp()).toString(), likes.timestamp());
	}

	@Test
	void ignoresAnEventWhoseIdIsThereWithAnotherText() {
		Event tea = event("user", Part.fromText("Likes tea"));
		Event coffee = event("user", Part.fromText("Likes coffee"));
		coffee.setId(tea.id());
		Event cake = event("user", Part.fromText("Likes cake"));
		for (List<Event> events : List.of(List.of(tea), List.of(coffee, cake))) {
			Session session = Session.builder("elsewhere").appName(Trip.APP).userId(this.user).events(events).build();
			this.memory.addSessionToMemory(session).blockingAwait();
		}
		List<MemoryEntry> found = search(this.memory, "likes tea coffee cake");
		assertEquals(List.of("Likes cake", "Likes tea"), texts(found).stream().sorted().toList());
	}

	@Test
	void anAgentKnowsWhatWasSaidInAnEarlierSession() {
		Asking model = new Asking();
		LlmAgent agent = LlmAgent.builder()
			.name("guide")
			.model(model)
			.instruction("Help.")
			.tools(new LoadMemoryTool())
			.build();
		Runner runner = new Runner(agent, Trip.APP, new InMemoryArtifactService(), this.sessions, this.memory);
		for (String message : List.of("We stay in Kyoto, near the river", "Where do we stay, in Kyoto?")) {
			Content content = Content.fromParts(Part.fromText(message));
			runner.runAsync(this.user, create(this.sessions).id(), content).blockingSubscribe();
		}
		assertTrue(model.last().contains("We stay in Kyoto, near the river"), model.last());
		// in the conversation and in the call of the tool, and not in its response
		assertEquals(3, model.last().split("Where do we stay, in Kyoto", -1).length, model.last());
	}

	private Session create(BaseSessionService service) {
		return service.createSession(Trip.APP, this.user).blockingGet();
	}

	private Event say(Session session, String author, String text) {
		return this.sessions.appendEvent(session, event(author, Part.fromText(text))).blockingGet();
	}

	private static Event event(String author, Part... parts) {
		return Event.builder()
			.id(Event.generateEventId())
			.author(author)
			.content(Content.builder().role(author.equals("user") ? "user" : "model").parts(parts).build())
			.build();
	}

	private List<MemoryEntry> search(BaseMemoryService service, String query) {
		return service.searchMemory(Trip.APP, this.user, query).blockingGet().memories();
	}

	private static List<String> texts(List<MemoryEntry> entries) {
		return entries.stream().map((entry) -> entry.content().text()).toList();
	}

	/** Returns the number of facts that the service stores about the user. */
	private int facts() throws InterruptedException {
		String path = "/apps/" + Trip.APP + "/users/" + this.user + "/memories";
		ServiceClient client = new ServiceClient(AgentSessionService.builder());
		return client.send(this.user, "GET", path, null, Map.of()).body().get("memories").size();
	}

}
