// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.adk.agents.LlmAgent;
import com.google.adk.artifacts.InMemoryArtifactService;
import com.google.adk.events.Event;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.runner.Runner;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subjects.CompletableSubject;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import myagent.LifeOfASession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests leases of sessions. */
@Timeout(300)
@EnabledIfEnvironmentVariable(named = "AGENT_SESSIONS_URL", matches = ".+")
class LeaseTests {

	private static final LeaseOptions SHORT = LeaseOptions.DEFAULT.ttl(Duration.ofSeconds(1));

	private final AgentSessionService service = new AgentSessionService();

	/** Stands for another process. */
	private final AgentSessionService other = new AgentSessionService();

	@Test
	void letsOneTurnInAtATime() {
		Session session = Trip.of(this.service, Map.of());
		TurnLease lease = this.service.acquire(session, LeaseOptions.DEFAULT.holder("worker-7")).blockingGet();
		SessionBusyException busy = assertBusy(session);
		assertEquals(lease.holder(), busy.holder());
		assertTrue(busy.holder().startsWith("worker-7:"));
		assertTrue(busy.retryAfter().toSeconds() > 0 && busy.retryAfter().toSeconds() <= 60);
		assertTrue(Duration.between(Instant.now(), busy.expireTime()).abs().toSeconds() < 120);
		Trip.append(this.service, session, Trip.turn("t3", Map.of()));
		lease.close();
		lease.close();
		Trip.append(this.service, session, Trip.turn("t4", Map.of()));
		Session stale = Trip.read(this.other, session);
		Trip.append(this.service, session, Trip.turn("t5", Map.of()));
		assertThrows(StaleSessionException.class, () -> this.other.acquire(stale).blockingGet());
		this.other.acquire(Trip.read(this.other, session)).blockingGet().close();
	}

	private SessionBusyException assertBusy(Session session) {
		return assertThrows(SessionBusyException.class,
				() -> this.other.acquire(Trip.read(this.other, session)).blockingGet());
	}

	@Test
	void sendsTheLeaseWithWhatATurnAppendsWhateverObjectItReadsForIt() throws Exception {
		try (Cutter cutter = new Cutter()) {
			AgentSessionService through = cutter.client();
			Session session = Trip.create(through, Map.of());
			TurnLease lease = through.acquire(session, LeaseOptions.DEFAULT.exclusive(true)).blockingGet();
			Trip.append(through, session, Trip.turn("t1", Map.of("k", 1)));
			Trip.append(through, Trip.read(through, session), Trip.turn("t2", Map.of()));
			through.rewind(Trip.read(through, session), "t2").blockingGet();
			assertThrows(SessionBusyException.class,
					() -> Trip.append(this.other, Trip.read(this.other, session), Trip.turn("t3", Map.of())));
			lease.close();
			Trip.append(this.other, Trip.read(this.other, session), Trip.turn("t4", Map.of()));
			Trip.append(through, Trip.read(through, session), Trip.turn("t5", Map.of()));
			String under = " " + lease.number();
			assertEquals(List.of("sessions", "acquire", "events" + under, "events" + under, "rewind" + under,
					"release" + under, "events"), posts(cutter.sent()));
		}
	}

	/** The action of each request, and the lease that it sends. */
	private static List<String> posts(String sent) {
		List<String> posts = new ArrayList<>();
		Matcher post = Pattern.compile("POST \\S*[/:](\\w+)\\S* .*?\r\n\r\n", Pattern.DOTALL).matcher(sent);
		while (post.find()) {
			Matcher lease = Pattern.compile("Lease:( \\d+)").matcher(post.group());
			posts.add(post.group(1) + (lease.find() ? lease.group(1) : ""));
		}
		return posts;
	}

	@Test
	void renewsTheLeaseUntilItIsClosed() throws Exception {
		Session session = Trip.of(this.service, Map.of());
		try (TurnLease lease = this.service.acquire(session, LeaseOptions.DEFAULT.ttl(Duration.ofSeconds(4))).blockingGet()) {
			Thread.sleep(9000);
			assertBusy(session);
			Trip.append(this.service, session, Trip.turn("t3", Map.of()));
			lease.lost().test().assertNotComplete().assertNoErrors();
		}
		this.other.acquire(Trip.read(this.other, session)).blockingGet().close();
	}

	@Test
	void tellsTheTurnThatHasLostItsLeaseAndStoresNothing() throws Exception {
		try (Cutter cutter = new Cutter()) {
			AgentSessionService through = cutter.client();
			Session session = Trip.of(through, Map.of());
			TurnLease lease = through.acquire(session, SHORT).blockingGet();
			cutter.holds = true;
			cutter.cut();
			Thread.sleep(1300);
			TurnLease next = this.other.acquire(Trip.read(this.other, session)).blockingGet();
			cutter.holds = false;
			assertThrows(LeaseLostException.class, () -> Trip.append(through, session, Trip.turn("late", Map.of())));
			lease.lost().test().awaitDone(20, TimeUnit.SECONDS).assertError(LeaseLostException.class);
			lease.close();
			next.close();
			assertEquals(2, Trip.read(this.service, session).events().size());
		}
	}

	/** A model that answers when the test lets it. */
	private static final class Slow extends BaseLlm {

		private final AtomicInteger calls = new AtomicInteger();

		private final Completable said;

		private Slow(Completable said) {
			super("slow");
			this.said = said;
		}

		@Override
		public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
			this.calls.incrementAndGet();
			Content yes = Content.builder().role("model").parts(Part.fromText("Yes.")).build();
			return this.said.andThen(Flowable.just(LlmResponse.builder().content(yes).build()));
		}

		@Override
		public BaseLlmConnection connect(LlmRequest request) {
			throw new UnsupportedOperationException();
		}

	}

	@Test
	void answersOneMessageAtATime() throws Exception {
		Session session = Trip.create(this.service, Map.of());
		CompletableSubject said = CompletableSubject.create();
		Slow slow = new Slow(said);
		TestSubscriber<Event> first = answer(this.service, slow, session).test();
		while (slow.calls.get() == 0) {
			Thread.sleep(10);
		}
		Slow fast = new Slow(Completable.complete());
		answer(this.other, fast, session).test()
			.awaitDone(20, TimeUnit.SECONDS)
			.assertError(SessionBusyException.class);
		assertEquals(0, fast.calls.get());
		said.onComplete();
		first.awaitDone(20, TimeUnit.SECONDS).assertComplete().assertValueCount(1);
		answer(this.other, fast, session).test().awaitDone(20, TimeUnit.SECONDS).assertComplete().assertValueCount(1);
		assertEquals(4, Trip.read(this.service, session).events().size());
	}

	private static Flowable<Event> answer(AgentSessionService sessions, BaseLlm model, Session session) {
		LlmAgent agent = LlmAgent.builder().name("agent").model(model).build();
		Runner runner = new Runner(agent, Trip.APP, new InMemoryArtifactService(), sessions);
		Content message = Content.fromParts(Part.fromText("Hm?"));
		return LifeOfASession.answer(sessions, runner, session.sessionKey(), message);
	}

	@Test
	void runsTheProgramOfThePage() throws Exception {
		String page = Files.readString(Path.of("README.md"));
		String program = Files.readString(Path.of("src/test/java/myagent/LifeOfASession.java"));
		assertTrue(page.contains("```java\n" + program + "```"));
		ByteArrayOutputStream printed = new ByteArrayOutputStream();
		PrintStream out = System.out;
		System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
		try {
			LifeOfASession.main(new String[0]);
		}
		finally {
			System.setOut(out);
		}
		String text = printed.toString(StandardCharsets.UTF_8);
		assertTrue(page.contains("```text\n" + text + "```"), text);
	}

}
