// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import com.google.adk.agents.LlmAgent;
import com.google.adk.artifacts.BaseArtifactService;
import com.google.adk.events.Event;
import com.google.adk.memory.BaseMemoryService;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.runner.Runner;
import com.google.adk.sessions.BaseSessionService;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.agentsessions.client.StaleSessionException;
import io.reactivex.rxjava3.core.Flowable;
import myagent.Travel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Tests an application with a running service, whose address is in AGENT_SESSIONS_URL.
 */
@SpringBootTest(classes = Travel.class)
@ExtendWith(OutputCaptureExtension.class)
class RunningServiceTests {

	private static final int WRITERS = 20;

	private final String app = "starter-" + UUID.randomUUID();

	@Autowired
	private BaseSessionService sessions;

	@Autowired
	private BaseMemoryService memory;

	@Autowired
	private BaseArtifactService artifacts;

	@Autowired
	private HealthIndicator agentSessionsHealthIndicator;

	@Test
	void anAgentContinuesItsSessionAndFindsWhatWasSaid() {
		Runner runner = Runner.builder()
			.appName(this.app)
			.agent(LlmAgent.builder().name("echo").model(new Echo()).build())
			.sessionService(this.sessions)
			.memoryService(this.memory)
			.artifactService(this.artifacts)
			.build();
		Session session = this.sessions.createSession(this.app, "alice").blockingGet();
		for (String text : List.of("The temple is in Kyoto.", "And the castle?")) {
			runner.runAsync("alice", session.id(), Content.fromParts(Part.fromText(text))).blockingSubscribe();
		}
		assertThat(read(session).events()).extracting(Event::stringifyContent)
			.containsExactly("The temple is in Kyoto.", "1 message so far", "And the castle?", "3 messages so far");
		assertThat(this.memory.searchMemory(this.app, "alice", "Where is the temple?").blockingGet().memories())
			.anyMatch((found) -> found.content().text().contains("Kyoto"));
	}

	@Test
	void theServiceIsHealthy() {
		assertThat(Objects.requireNonNull(this.agentSessionsHealthIndicator.health()).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void aFileIsLoadedAsItWasSaved() {
		Session session = this.sessions.createSession(this.app, "alice").blockingGet();
		this.artifacts.saveArtifact(this.app, "alice", session.id(), "plan.md", Part.fromText("Kyoto")).blockingGet();
		assertThat(this.artifacts.loadArtifact(this.app, "alice", session.id(), "plan.md", null).blockingGet().text())
			.contains("Kyoto");
	}

	@Test
	void twentyWritersLoseNoEvent() throws Exception {
		Session session = this.sessions.createSession(this.app, "alice").blockingGet();
		List<Callable<Void>> writers = IntStream.range(0, WRITERS).mapToObj((number) -> (Callable<Void>) () -> {
			append(session, "event " + number);
			return null;
		}).toList();
		ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
		for (Future<Void> writer : threads.invokeAll(writers)) {
			writer.get();
		}
		threads.shutdown();
		assertThat(read(session).events()).extracting(Event::stringifyContent)
			.containsExactlyInAnyOrderElementsOf(
					IntStream.range(0, WRITERS).mapToObj((number) -> "event " + number).toList());
	}

	@Test
	void theProgramOfThePagesPrintsWhatTheySay(CapturedOutput output) throws IOException {
		Travel.main(new String[0]);
		String program = Files.readString(Path.of("src/test/java/myagent/Travel.java"));
		assertThat(Path.of("README.md")).content().contains(program, "```text\nKyoto, please.\n```");
		assertThat(Path.of("../../docs/frameworks.md")).content().contains(program, "It prints `Kyoto, please.`");
		assertThat(output).contains("Kyoto, please.");
	}

	private void append(Session session, String text) {
		Content content = Content.fromParts(Part.fromText(text));
		Event event = Event.builder().author("user").invocationId(text).content(content).build();
		while (true) {
			try {
				this.sessions.appendEvent(read(session), event).blockingGet();
				return;
			}
			catch (StaleSessionException ex) {
				// Another writer was first: read the session again
			}
		}
	}

	private Session read(Session session) {
		return this.sessions.getSession(this.app, "alice", session.id(), Optional.empty()).blockingGet();
	}

	/** A model without a network that counts the messages of its prompt. */
	private static final class Echo extends BaseLlm {

		Echo() {
			super("echo");
		}

		@Override
		public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
			int messages = request.contents().size();
			String text = messages + ((messages == 1) ? " message" : " messages") + " so far";
			Content content = Content.builder().role("model").parts(Part.fromText(text)).build();
			return Flowable.just(LlmResponse.builder().content(content).build());
		}

		@Override
		public BaseLlmConnection connect(LlmRequest request) {
			throw new UnsupportedOperationException("no live conversations");
		}

	}

}
