package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.agentsessions.postgres.Lanes.WriteLanes;
import dev.agentsessions.postgres.Lanes.WriteLanes.RowLockedException;
import dev.agentsessions.session.SessionException;

/** How many writes hold a connection at once, and what a locked row delays. */
class WriteLanesTests {

	private static final UUID KEY = UUID.randomUUID();

	private final CountDownLatch open = new CountDownLatch(1);

	@AfterEach
	void open() {
		this.open.countDown();
	}

	/** It would keep its connection while it waits, perhaps for itself. */
	@Test
	void aWriteWithinATransactionWaitsForNothing() {
		WriteLanes lanes = lanes(8, 2, Duration.ofSeconds(1));
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			assertThat(lanes.<String>serialize(KEY, () -> lanes.serialize(KEY, () -> "nested"))).isEqualTo("nested");
		}
		finally {
			TransactionSynchronizationManager.clear();
		}
	}

	/** A replica with two writers of groups needs three more connections for others. */
	@ParameterizedTest
	@CsvSource({ "8, 2, 3", "8, 0, 5", "1, 2, 1" })
	void writesLeaveConnectionsForReadsAndAppends(int connections, int groups, int writes) throws Exception {
		WriteLanes lanes = lanes(connections, groups, Duration.ofSeconds(1));
		CountDownLatch begun = new CountDownLatch(writes);
		CompletableFuture<?>[] running = IntStream.range(0, writes)
			.mapToObj((number) -> Concurrently.start(() -> lanes.run(() -> {
				begun.countDown();
				return await(this.open);
			})))
			.toArray(CompletableFuture[]::new);
		assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
		assertUnavailable(() -> lanes.run(() -> "one too many"));
		this.open.countDown();
		assertThat(CompletableFuture.allOf(running)).succeedsWithin(Duration.ofMinutes(1));
		assertThat(lanes.<String>run(() -> "next")).isEqualTo("next");
	}

	@Test
	void aWriteThatMeetsALockedRowDelaysOnlyOthersThatDo() {
		WriteLanes lanes = lanes(1, 2, Duration.ofMinutes(1));
		Write first = new Write(() -> lanes.run(lockedOnce(() -> await(this.open))));
		first.awaitState(Thread.State.WAITING);
		assertThat(lanes.<String>run(() -> "meets no locked row")).isNotNull();
		AtomicInteger attempts = new AtomicInteger();
		Write second = new Write(() -> lanes.run(() -> {
			if (attempts.incrementAndGet() == 1) {
				throw new RowLockedException(new IllegalStateException());
			}
			return true;
		}));
		second.awaitState(Thread.State.TIMED_WAITING);
		assertThat(attempts).hasValue(1);
		this.open.countDown();
		assertThat(first.result).succeedsWithin(Duration.ofMinutes(1));
		assertThat(second.result).succeedsWithin(Duration.ofMinutes(1));
		assertThat(attempts).hasValue(2);
	}

	@Test
	void writesToASessionRunOneAtATimeAndOthersBesideThem() {
		WriteLanes lanes = lanes(10, 2, Duration.ofMinutes(1));
		Write first = new Write(() -> lanes.serialize(KEY, () -> await(this.open)));
		first.awaitState(Thread.State.WAITING);
		Write second = new Write(() -> lanes.serialize(KEY, () -> this.open.getCount() == 0));
		second.awaitState(Thread.State.TIMED_WAITING);
		assertThat(lanes.<String>serialize(UUID.randomUUID(), () -> "another session")).isNotNull();
		assertThat(second.result).isNotDone();
		this.open.countDown();
		assertThat(second.result).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
	}

	@Test
	void writesToASessionNeverOverlap() throws Exception {
		WriteLanes lanes = lanes(40, 2, Duration.ofMinutes(1));
		AtomicInteger inside = new AtomicInteger();
		Concurrently.run(20, (number) -> IntStream.range(0, 200).map((write) -> lanes.serialize(KEY, () -> {
			assertThat(inside.incrementAndGet()).isOne();
			Thread.yield();
			return inside.decrementAndGet();
		})).sum());
		assertThat(inside).hasValue(0);
	}

	@Test
	void repeatsAnAttemptThatMeetsALockedRowUntilTheTimeOut() {
		WriteLanes lanes = lanes(10, 2, Duration.ofSeconds(1));
		AtomicInteger attempts = new AtomicInteger();
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> lanes.run(() -> {
			attempts.incrementAndGet();
			throw new RowLockedException(new IllegalStateException());
		})).withCauseInstanceOf(RowLockedException.class);
		assertThat(attempts).hasValueGreaterThan(2);
	}

	@Test
	void aWriteThatFailsIsNotRepeatedAndGivesItsPermitBack() {
		WriteLanes lanes = lanes(1, 2, Duration.ofSeconds(1));
		for (int write = 0; write < 2; write++) {
			AtomicInteger attempts = new AtomicInteger();
			assertThatThrownBy(() -> lanes.serialize(KEY, () -> {
				attempts.incrementAndGet();
				throw new SessionException.NotFound();
			})).isInstanceOf(SessionException.NotFound.class);
			assertThat(attempts).hasValue(1);
		}
	}

	/** It has its connection already, and cannot continue after a failed statement. */
	@Test
	void aWriteWithinATransactionNeitherWaitsNorRepeats() {
		WriteLanes lanes = lanes(1, 2, Duration.ofMinutes(1));
		Write first = new Write(() -> lanes.run(() -> await(this.open)));
		first.awaitState(Thread.State.WAITING);
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			assertThatThrownBy(() -> lanes.run(lockedOnce(() -> true))).isInstanceOf(RowLockedException.class);
		}
		finally {
			TransactionSynchronizationManager.setActualTransactionActive(false);
		}
	}

	@Test
	void anInterruptedWriteDoesNotWait() {
		WriteLanes lanes = lanes(10, 2, Duration.ofMinutes(1));
		Thread.currentThread().interrupt();
		assertUnavailable(() -> lanes.run(() -> "interrupted"));
		assertThat(Thread.interrupted()).isTrue();
	}

	private static WriteLanes lanes(int connections, int groups, Duration timeout) {
		return new WriteLanes(Lanes.of(connections, groups, timeout, Duration.ofMinutes(1), Readers.NO_SHARES,
				new SimpleMeterRegistry()));
	}

	private static Supplier<Boolean> lockedOnce(Supplier<Boolean> then) {
		AtomicInteger attempts = new AtomicInteger();
		return () -> {
			if (attempts.incrementAndGet() == 1) {
				throw new RowLockedException(new IllegalStateException());
			}
			return then.get();
		};
	}

	private static void assertUnavailable(Runnable write) {
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(write::run);
	}

	private static boolean await(CountDownLatch latch) {
		try {
			latch.await();
			return true;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A write on a thread of its own. */
	private static final class Write {

		private final CompletableFuture<Boolean> result = new CompletableFuture<>();

		private final Thread thread;

		Write(Supplier<Boolean> write) {
			this.thread = new Thread(() -> this.result.completeAsync(write, Runnable::run));
			this.thread.start();
		}

		void awaitState(Thread.State state) {
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> this.thread.getState() == state);
		}

	}

}
