// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import com.google.adk.events.Event;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionException;
import com.google.adk.sessions.SessionKey;
import com.google.adk.sessions.SessionNotFoundException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that a watch emits every event once when connections break. */
@Timeout(300)
@EnabledIfEnvironmentVariable(named = "AGENT_SESSIONS_URL", matches = ".+")
class WatchTests {

	private final AgentSessionService service = new AgentSessionService();

	@Test
	void showsWhatIsThereAndThenWhatComes() {
		Session session = Trip.of(this.service, Map.of());
		TestSubscriber<WatchedEvent> watch = this.service.watch(session.sessionKey(), 0).test();
		watch.awaitCount(2);
		String odd = "line\u2028line\u0085\r\n\ud83d\ude80".repeat(20_000);
		Trip.append(this.service, session, Trip.turn("t3", Map.of("odd", odd)));
		watch.awaitCount(3);
		assertEquals(Trip.read(this.service, session).events(), events(watch));
		assertEquals(odd, events(watch).get(2).actions().stateDelta().get("odd"));
		this.service.deleteSession(Trip.APP, "mira", session.id()).blockingAwait();
		watch.awaitDone(20, TimeUnit.SECONDS).assertComplete().assertValueCount(3);
	}

	@Test
	void missesAndRepeatsNothingWhenItIsCutOff() throws Exception {
		try (Cutter cutter = new Cutter()) {
			Session session = Trip.create(this.service, Map.of());
			TestSubscriber<WatchedEvent> watch = cutter.client().watch(session.sessionKey()).test();
			await(cutter, 1);
			Thread.sleep(300);
			for (int number = 0; number < 10; number++) {
				if (number % 3 == 0) {
					cutter.cut();
				}
				Trip.append(this.service, session, Trip.turn("t" + number, Map.of()));
			}
			watch.awaitCount(10);
			assertEquals(LongStream.rangeClosed(1, 10).boxed().toList(), seqs(watch));
			assertEquals(Trip.read(this.service, session).events(), events(watch));
			await(cutter, 1);
			watch.cancel();
			await(cutter, 0);
		}
	}

	@Test
	void showsNothingOfASessionThatTakesThePlaceOfTheOther() throws Exception {
		try (Cutter cutter = new Cutter()) {
			Session session = Trip.create(this.service, Map.of());
			Trip.append(this.service, session, Trip.turn("one", Map.of()));
			TestSubscriber<WatchedEvent> watch = cutter.client().watch(session.sessionKey(), 0).test();
			watch.awaitCount(1);
			cutter.holds = true;
			cutter.cut();
			this.service.deleteSession(Trip.APP, "mira", session.id()).blockingAwait();
			Session next = this.service.createSession(session.sessionKey()).blockingGet();
			Trip.append(this.service, next, Trip.turn("two", Map.of()));
			Trip.append(this.service, next, Trip.turn("three", Map.of()));
			cutter.holds = false;
			watch.awaitDone(20, TimeUnit.SECONDS).assertComplete().assertValueCount(1);
		}
	}

	@Test
	void endsWhenTheSessionWasDeletedWhileItWasCutOff() throws Exception {
		try (Cutter cutter = new Cutter()) {
			Session session = Trip.of(this.service, Map.of());
			TestSubscriber<WatchedEvent> watch = cutter.client().watch(session.sessionKey(), 0).test();
			watch.awaitCount(2);
			cutter.holds = true;
			cutter.cut();
			this.service.deleteSession(Trip.APP, "mira", session.id()).blockingAwait();
			cutter.holds = false;
			watch.awaitDone(20, TimeUnit.SECONDS).assertComplete().assertValueCount(2);
		}
	}

	@Test
	void readsNoMoreThanIsAskedFor() {
		Session session = Trip.of(this.service, Map.of());
		TestSubscriber<WatchedEvent> watch = this.service.watch(session.sessionKey(), 0).test(1);
		watch.awaitCount(1);
		watch.request(1);
		watch.awaitCount(2);
		assertEquals(List.of(1L, 2L), seqs(watch));
		watch.cancel();
	}

	@Test
	void tellsThatItCannotBeWatched() {
		Session session = Trip.of(this.service, Map.of());
		this.service.watch(new SessionKey(Trip.APP, "mira", "none"))
			.test()
			.awaitDone(20, TimeUnit.SECONDS)
			.assertError(SessionNotFoundException.class);
		this.service.watch(session.sessionKey(), 7)
			.test()
			.awaitDone(20, TimeUnit.SECONDS)
			.assertError((error) -> ((AgentSessionsException) error).code().equals("INVALID_ARGUMENT"));
		ServiceClient away = new ServiceClient(AgentSessionService.builder().url("http://127.0.0.1:1"));
		Watch.events(away, session.sessionKey(), null, Duration.ofMillis(300))
			.test()
			.awaitDone(20, TimeUnit.SECONDS)
			.assertError(SessionException.class);
	}

	@Test
	void stopsQuietlyWhenNobodyListens() throws Exception {
		List<Throwable> lost = Collections.synchronizedList(new ArrayList<>());
		RxJavaPlugins.setErrorHandler(lost::add);
		try (Cutter cutter = new Cutter()) {
			Session session = Trip.create(this.service, Map.of());
			for (int pause = 0; pause < 400; pause += 20) {
				TestSubscriber<WatchedEvent> watch = cutter.client().watch(session.sessionKey()).test();
				Thread.sleep(pause);
				watch.cancel();
			}
			await(cutter, 0);
			assertEquals(List.of(), lost);
		}
		finally {
			RxJavaPlugins.reset();
		}
	}

	@Test
	void waitsAsLongAsABusyServiceSaysAndGoesOnWhenATokenHasEnded() throws Exception {
		List<String> asked = Collections.synchronizedList(new ArrayList<>());
		List<Long> times = Collections.synchronizedList(new ArrayList<>());
		HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		server.createContext("/", (exchange) -> {
			times.add(System.nanoTime());
			asked.add(exchange.getRequestURI().getQuery() + " "
					+ exchange.getRequestHeaders().getFirst("Last-Event-ID"));
			switch (asked.size()) {
				case 1 -> {
					exchange.getResponseHeaders().add("Retry-After", "1");
					exchange.sendResponseHeaders(503, -1);
				}
				case 2 -> answer(exchange,
						"retry: 1000\nid: 4\n\n:\n\nid: 5.17\ndata: {\"author\":\"a\"}\n\nid: 6.18\ndata: {\"author");
				case 3 -> answer(exchange, "event: end\ndata: {\"reason\":\"CREDENTIALS_EXPIRED\"}\n\n");
				default -> answer(exchange, "event: end\ndata: {\"reason\":\"SESSION_EXPIRED\"}\n\n");
			}
			exchange.close();
		});
		server.start();
		List<String> tokens = Collections.synchronizedList(new ArrayList<>());
		try {
			TestSubscriber<WatchedEvent> watch = AgentSessionService.builder()
				.url("http://127.0.0.1:" + server.getAddress().getPort())
				.token((user) -> tokens.add(user) ? "token" : null)
				.build()
				.watch(new SessionKey(Trip.APP, "mira", "s"))
				.test()
				.awaitDone(20, TimeUnit.SECONDS)
				.assertComplete();
			assertEquals(List.of(5L), seqs(watch));
		}
		finally {
			server.stop(0);
		}
		assertEquals(List.of("null null", "null null", "afterSeq=5 5.17", "afterSeq=5 5.17"), asked);
		assertTrue(times.get(1) - times.get(0) >= 1_000_000_000);
		assertEquals(Collections.nCopies(4, "mira"), tokens);
	}

	private static void answer(HttpExchange exchange, String text) throws IOException {
		exchange.getResponseHeaders().add("ETag", "\"1.abc\"");
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(200, bytes.length);
		exchange.getResponseBody().write(bytes);
	}

	private static void await(Cutter cutter, int connections) throws InterruptedException {
		while (cutter.connections() != connections) {
			Thread.sleep(10);
		}
	}

	private static List<Long> seqs(TestSubscriber<WatchedEvent> watch) {
		return watch.values().stream().map(WatchedEvent::seq).toList();
	}

	private static List<Event> events(TestSubscriber<WatchedEvent> watch) {
		return watch.values().stream().map(WatchedEvent::event).toList();
	}

}
