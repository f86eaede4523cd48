package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;

/** Writers at work on a service that may die and come back elsewhere. */
final class Load {

	private static final int SESSIONS = 3;

	/** Lets the other writer of the session write, or the service come back. */
	private static final int PAUSE_MILLIS = 50;

	private final String path = "/apps/ledger/users/" + UUID.randomUUID() + "/sessions/s";

	private final AtomicReference<Http> service;

	private final List<Writer> writers = new ArrayList<>();

	private final ScheduledExecutorService schedule = Executors.newScheduledThreadPool(2 * SESSIONS);

	private Load(Http http) {
		this.service = new AtomicReference<>(http);
	}

	/** Starts two writers, one with preconditions, on each of some sessions. */
	static Load start(Http http) {
		return start(http, "");
	}

	/** Starts writers whose events have something to carry. */
	static Load start(Http http, String content) {
		Load load = new Load(http);
		for (int i = 0; i < SESSIONS; i++) {
			assertThat(http.post(load.path + i, "{}").status()).isEqualTo(200);
			load.writers.add(new Writer(load.service, load.path + i, "free" + i, content, false));
			load.writers.add(new Writer(load.service, load.path + i, "careful" + i, content, true));
		}
		load.writers
			.forEach((writer) -> load.schedule.scheduleWithFixedDelay(writer, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS));
		return load;
	}

	/** Where the service is now. */
	void moveTo(Http http) {
		this.service.set(http);
	}

	/** Waits until every writer has had so many events more acknowledged. */
	void awaitProgress(int events) {
		awaitMore(events, (writer) -> writer.acknowledged().size());
	}

	/** Waits until every writer has been refused so many times more. */
	void awaitRefusals(int refusals) {
		awaitMore(refusals, Writer::refusals);
	}

	private void awaitMore(int count, ToIntFunction<Writer> counted) {
		List<Integer> before = this.writers.stream().map(counted::applyAsInt).toList();
		Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> {
			this.writers.forEach(Writer::check);
			return IntStream.range(0, before.size())
				.allMatch((i) -> counted.applyAsInt(this.writers.get(i)) >= before.get(i) + count);
		});
	}

	/** Ends the writers and compares their ledgers with what is stored. */
	void stopAndCompare() {
		CompletableFuture.allOf(this.writers.stream().map(Writer::stop).toArray(CompletableFuture[]::new))
			.orTimeout(2, TimeUnit.MINUTES)
			.join();
		this.schedule.shutdown();
		for (int i = 0; i < SESSIONS; i++) {
			compare(this.path + i, this.writers.subList(2 * i, 2 * i + 2));
		}
	}

	private void compare(String session, List<Writer> writers) {
		Answer answer = this.service.get().get(session).ok();
		List<String> stored = answer.at("/events")
			.valueStream()
			.map((event) -> event.path("id").stringValue())
			.toList();
		assertThat(stored).doesNotHaveDuplicates();
		assertThat(answer.revision()).isEqualTo(stored.size());
		for (Writer writer : writers) {
			assertThat(stored.stream().filter((id) -> id.startsWith(writer.name() + "-")))
				.containsExactlyElementsOf(writer.acknowledged());
			JsonNode state = answer.at("/state");
			assertThat(state.path(writer.name()).intValue()).isEqualTo(writer.acknowledged().size());
			assertThat(state.path("user:" + writer.name()).intValue()).isEqualTo(writer.acknowledged().size());
		}
	}

}
