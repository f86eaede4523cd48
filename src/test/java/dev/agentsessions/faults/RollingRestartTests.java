package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.EventSource.Message;

/** Replicas that are restarted one after the other refuse nothing behind a proxy. */
@Tag("alone")
class RollingRestartTests {

	private static final String SESSIONS = "/apps/a/users/u/sessions/";

	private static final String WATCHED = SESSIONS + "watched";

	private static final int CLIENTS = 6;

	private final AtomicInteger answered = new AtomicInteger();

	private final Queue<String> refused = new ConcurrentLinkedQueue<>();

	private final AtomicLong written = new AtomicLong();

	/** The numbers of the events that the watch showed. */
	private final Queue<Long> shown = new ConcurrentLinkedQueue<>();

	private volatile boolean ending;

	private Path folder;

	private Database database;

	private final List<ServiceProcess> replicas = new ArrayList<>();

	private List<Integer> ports = List.of();

	private LoadBalancer balancer;

	@BeforeEach
	void start(@TempDir Path temporary) throws IOException {
		LoadBalancer.assumeInstalled();
		this.folder = temporary;
		this.database = new Database(temporary.resolve("postgres"));
		this.ports = List.of(Database.freePort(), Database.freePort());
		this.ports.forEach((port) -> this.replicas.add(startAt(port)));
		this.replicas.forEach(ServiceProcess::http);
		this.balancer = new LoadBalancer(temporary, this.ports);
	}

	private ServiceProcess startAt(int port) {
		return ServiceProcess.startAt(port, this.folder, this.database.arguments("--agent-sessions.drain-period=5s"));
	}

	@AfterEach
	void stop() {
		this.ending = true;
		if (this.balancer != null) {
			this.balancer.close();
		}
		this.replicas.forEach(ServiceProcess::close);
		if (this.database != null) {
			this.database.close();
		}
	}

	@Test
	void refusesNothingAndShowsEachEventOnce() {
		this.balancer.http().post(WATCHED, "{}").ok();
		CompletableFuture<Void> watch = CompletableFuture.runAsync(this::watch, RollingRestartTests::start);
		List<CompletableFuture<Void>> clients = IntStream.range(0, CLIENTS)
			.mapToObj((number) -> CompletableFuture.runAsync(() -> call(number), RollingRestartTests::start))
			.toList();
		for (int number = 0; number < this.replicas.size(); number++) {
			restart(number);
		}
		this.ending = true;
		clients.forEach((client) -> client.orTimeout(1, TimeUnit.MINUTES).join());
		assertThat(this.refused).isEmpty();
		assertThat(this.answered.get()).isGreaterThan(100);
		awaitShown(this.written.get());
		this.balancer.http().delete(WATCHED);
		watch.orTimeout(1, TimeUnit.MINUTES).join();
		assertThat(this.shown)
			.containsExactlyElementsOf(LongStream.rangeClosed(1, this.written.get()).boxed().toList());
	}

	private void restart(int number) {
		this.replicas.get(number).terminate();
		assertThat(this.replicas.get(number).exitCode()).isEqualTo(143);
		assertThat(this.replicas.get(number).log()).doesNotContain(" WARN ", " ERROR ");
		this.replicas.set(number, startAt(this.ports.get(number)));
		this.replicas.get(number).http();
		this.balancer.awaitReady(this.ports.get(number));
	}

	/** Appends and reads in turn; the first client writes what is watched. */
	private void call(int number) {
		String session = (number == 0) ? WATCHED : SESSIONS + number;
		if (number != 0) {
			count(this.balancer.http().post(session, "{}"));
		}
		while (!this.ending) {
			try {
				count(this.balancer.http().post(session + "/events", "{\"author\":\"a\"}"));
				this.written.addAndGet((number == 0) ? 1 : 0);
				count(this.balancer.http().get(session + "?numRecentEvents=1"));
			}
			catch (UncheckedIOException ex) {
				this.refused.add(ex.toString());
			}
		}
	}

	private void count(Answer answer) {
		this.answered.incrementAndGet();
		if (answer.status() != 200) {
			this.refused.add(answer.status() + " " + answer.body());
		}
	}

	/** A watch shows nothing more of a session that is deleted. */
	private void awaitShown(long last) {
		Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> this.shown.contains(last));
	}

	/** Comes back as a browser does, until the session is deleted. */
	private void watch() {
		long lastShown = 0;
		boolean over = false;
		while (!over) {
			String last = Long.toString(lastShown);
			try (EventSource source = EventSource.open(this.balancer.http().port(), WATCHED + "/events:watch",
					"Last-Event-ID", last)) {
				if (source.status() != 200) {
					this.refused.add("watch " + source.status());
				}
				Message message = source.next(Duration.ofMinutes(1)).orElseThrow();
				while (!message.isEndOfStream() && !"end".equals(message.type())) {
					lastShown = message.seq();
					this.shown.add(lastShown);
					message = source.next(Duration.ofMinutes(1)).orElseThrow();
				}
				over = "end".equals(message.type());
			}
		}
	}

	private static void start(Runnable task) {
		new Thread(task).start();
	}

}
