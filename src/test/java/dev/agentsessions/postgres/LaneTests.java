package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.SessionException;

/** How much work of a lane is done at once, here of the lane of heavy work. */
class LaneTests {

	private static final MeterRegistry REGISTRY = new SimpleMeterRegistry();

	@Test
	void heavyReadsTakeQuarterOfConnections() throws Exception {
		Lane reads = reads(9);
		AtomicInteger running = new AtomicInteger();
		CountDownLatch begun = new CountDownLatch(2);
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<?>[] two = IntStream.range(0, 2)
			.mapToObj((number) -> Concurrently.start(() -> reads.run(() -> {
				begun.countDown();
				await(end);
				return running.incrementAndGet();
			})))
			.toArray(CompletableFuture[]::new);
		begun.await();
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> reads.run(() -> 3));
		end.countDown();
		CompletableFuture.allOf(two).join();
		assertThat(reads.run(running::get)).isEqualTo(2);
	}

	@Test
	void nestedHeavyReadTakesNoSecondPermit() {
		Lane reads = reads(1);
		assertThat(reads.<Integer>run(() -> reads.run(() -> 5))).isEqualTo(5);
		assertThat(reads.<Integer>run(() -> 6)).isEqualTo(6);
	}

	@Test
	void aHeavyReadWaitsForAPermit() {
		Lane reads = reads(4, Duration.ofMinutes(1));
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<Void> first = new CompletableFuture<>();
		Thread firstThread = start(first, () -> reads.run(() -> {
			await(end);
			return 1;
		}));
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> firstThread.getState() == Thread.State.WAITING);
		CompletableFuture<Void> second = new CompletableFuture<>();
		Thread secondThread = start(second, () -> reads.run(() -> 2));
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> second.isDone() || secondThread.getState() == Thread.State.TIMED_WAITING);
		end.countDown();
		assertThat(first).succeedsWithin(Duration.ofMinutes(1));
		assertThat(second).succeedsWithin(Duration.ofMinutes(1));
	}

	@Test
	void aHeavyReadThatFailsGivesItsPermitBack() {
		Lane reads = reads(1);
		assertThatExceptionOfType(SessionException.NotFound.class).isThrownBy(() -> reads.run(() -> {
			throw new SessionException.NotFound();
		}));
		assertThat(reads.<Integer>run(() -> reads.run(() -> 5))).isEqualTo(5);
	}

	@Test
	void anInterruptedHeavyReadDoesNotWait() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> reads(1).run(() -> 5));
		assertThat(Thread.interrupted()).isTrue();
	}

	private static Thread start(CompletableFuture<Void> result, Runnable read) {
		Thread thread = new Thread(() -> result.completeAsync(() -> {
			read.run();
			return null;
		}, Runnable::run));
		thread.start();
		return thread;
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Lane reads(int connections) {
		return reads(connections, Duration.ofSeconds(1));
	}

	private static Lane reads(int connections, Duration timeout) {
		return Lanes.of(connections, 2, timeout, Duration.ofMinutes(1), Readers.NO_SHARES, REGISTRY).heavy();
	}

}
