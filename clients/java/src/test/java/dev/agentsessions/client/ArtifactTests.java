// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import com.google.adk.agents.LlmAgent;
import com.google.adk.runner.Runner;
import com.google.adk.sessions.Session;
import com.google.genai.types.Blob;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Maybe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the artifact service: directly, and with an agent that saves. */
@EnabledIfEnvironmentVariable(named = "AGENT_SESSIONS_URL", matches = ".+")
class ArtifactTests {

	/** New for each test, so that a test finds nothing of another one. */
	private final String user = UUID.randomUUID().toString();

	/** Does not exist before the first save. */
	private final String session = UUID.randomUUID().toString();

	private final AgentSessionService sessions = new AgentSessionService();

	private final AgentSessionArtifactService artifacts = new AgentSessionArtifactService();

	@ParameterizedTest
	@ValueSource(strings = { "", "user:" })
	void keepsVersions(String prefix) {
		String name = prefix + "plan";
		assertEquals(0, save(name, bytes("one")));
		assertEquals(1, save(name, bytes("two")));
		assertEquals(0, save("map", bytes("of Kyoto")));
		assertEquals(List.of(0, 1), versions(name));
		assertSame(bytes("two"), load(name, null));
		assertSame(bytes("one"), load(name, 0));
		assertSame(bytes("two"), load(name, 1));
		assertNull(load(name, 2));
		assertEquals(List.of("map", name), names());
		this.artifacts.deleteArtifact(Trip.APP, this.user, this.session, name).blockingAwait();
		assertNull(load(name, null));
		assertNull(load(name, 0));
		assertEquals(List.of(), versions(name));
		assertEquals(List.of("map"), names());
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, Integer.MIN_VALUE, 1, Integer.MAX_VALUE })
	void findsNothingForAVersionThatCannotExist(int version) {
		save("plan", bytes("one"));
		save("user:plan", bytes("one"));
		assertNull(load("plan", version));
		assertNull(load("user:plan", version));
	}

	@Test
	void keepsBytesTextsAndReferencesAsTheyWere() {
		String name = "é &?#25+\"x\".p:content";
		byte[] large = new byte[6 << 20];
		large[large.length - 1] = 7;
		List<Part> parts = List.of(Part.fromBytes(new byte[] { 0, 1, -2, -1, '\r', '\n' }, "image/png"),
				Part.fromBytes("<script>".getBytes(), "text/html; charset=utf-8"), Part.fromBytes(large, "video/mp4"),
				Part.fromText("\uD83D\uDDFB \r\n\u0001"), Part.fromUri("gs://bucket/far.pdf", "application/pdf"));
		parts.forEach((part) -> save(name, part));
		for (int version = 0; version < parts.size(); version++) {
			assertSame(parts.get(version), load(name, version));
		}
		assertSame(parts.get(4), load(name, null));
		assertEquals(List.of(name), names());
		save("untyped", Part.builder().inlineData(Blob.builder().data(new byte[] { 1 }).build()).build());
		assertSame(Part.fromBytes(new byte[] { 1 }, "application/octet-stream"), load("untyped", null));
		assertSame(parts.get(3),
				this.artifacts.saveAndReloadArtifact(Trip.APP, this.user, this.session, "again", parts.get(3)).blockingGet());
	}

	@Test
	void findsNothingInASessionThatDoesNotExist() {
		assertNull(load("plan", null));
		assertNull(load("plan", 0));
		assertEquals(List.of(), names());
		assertEquals(List.of(), versions("plan"));
		this.artifacts.deleteArtifact(Trip.APP, this.user, this.session, "plan").blockingAwait();
		save("user:plan", bytes("one"));
		assertEquals(List.of("user:plan"), names());
		assertTrue(find().isEmpty().blockingGet()); // a name of the user needs no session
		save("plan", bytes("two"));
		assertEquals(List.of("plan", "user:plan"), names());
		assertEquals(0, find().blockingGet().events().size());
	}

	@Test
	@EnabledIfEnvironmentVariable(named = "CONFORMANCE_FAULTS", matches = ".+")
	void storesASaveOnceWhenItsAnswerGetsLost() throws Exception {
		AgentSessionArtifactService spoilt = new AgentSessionArtifactService(
				AgentSessionService.builder().url(System.getenv("CONFORMANCE_FAULTS")));
		for (Part part : List.of(bytes("one"), Part.fromText("one"), Part.fromUri("gs://bucket/a", "image/png"))) {
			String fresh = UUID.randomUUID().toString();
			// There is no session, so it is created, then the part is saved.
			HistoryTests.spoil("pass,pass,unanswered");
			assertEquals(0, spoilt.saveArtifact(Trip.APP, this.user, fresh, "plan", part).blockingGet());
			HistoryTests.spoil("unanswered,half-answered");
			assertEquals(1, spoilt.saveArtifact(Trip.APP, this.user, fresh, "plan", part).blockingGet());
			assertEquals(List.of(0, 1), this.artifacts.listVersions(Trip.APP, this.user, fresh, "plan").blockingGet());
		}
	}

	@Test
	void refusesWhatCannotBeStored() {
		assertThrows(IllegalArgumentException.class, () -> save("..", bytes("x")));
		assertThrows(AgentSessionsException.class, () -> save("plan", Part.builder().build()));
		assertThrows(AgentSessionsException.class, () -> save("plan", Part.fromFunctionCall("f", Map.of())));
		assertEquals(List.of(), names());
	}

	@Test
	void anEventHasTheVersionThatLoads() {
		LlmAgent agent = LlmAgent.builder()
			.name("guide")
			.model(new Asking())
			.instruction("Help.")
			.beforeAgentCallback((context) -> context.saveArtifact("plan", bytes("one"))
				.andThen(context.saveArtifact("plan", bytes("two")))
				.andThen(Maybe.just(Content.fromParts(Part.fromText("Saved.")))))
			.build();
		Session session = this.sessions.createSession(Trip.APP, this.user, null, this.session).blockingGet();
		new Runner(agent, Trip.APP, this.artifacts, this.sessions)
			.runAsync(this.user, session.id(), Content.fromParts(Part.fromText("Hi")))
			.blockingSubscribe();
		Map<String, Integer> delta = Map.copyOf(find().blockingGet().events().get(1).actions().artifactDelta());
		assertEquals(Map.of("plan", 1), delta);
		assertSame(bytes("two"), load("plan", delta.get("plan")));
	}

	/** Compares the JSON, because two equal arrays of bytes are not equal in Java. */
	private static void assertSame(Part expected, Part actual) {
		assertEquals(expected.toJson(), actual.toJson());
	}

	private static Part bytes(String text) {
		return Part.fromBytes(text.getBytes(), "text/plain");
	}

	private int save(String name, Part part) {
		return this.artifacts.saveArtifact(Trip.APP, this.user, this.session, name, part).blockingGet();
	}

	private Part load(String name, Integer version) {
		return this.artifacts.loadArtifact(Trip.APP, this.user, this.session, name, version).blockingGet();
	}

	private List<String> names() {
		return this.artifacts.listArtifactKeys(Trip.APP, this.user, this.session).blockingGet().filenames();
	}

	private List<Integer> versions(String name) {
		return this.artifacts.listVersions(Trip.APP, this.user, this.session, name).blockingGet();
	}

	private Maybe<Session> find() {
		return this.sessions.getSession(Trip.APP, this.user, this.session, Optional.empty());
	}

}
