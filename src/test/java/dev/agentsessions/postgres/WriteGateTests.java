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

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.unit.DataSize;

import dev.agentsessions.session.SessionException;

/** How many writes hold a connection at once, and what a locked row delays. */
class WriteGateTests {

	private static final UUID KEY = UUID.randomUUID();

	private final CountDownLatch open = new CountDownLatch(1);

	@AfterEach
	void open() {
		this.open.countDown();
	}

	/** A replica with two writers of groups needs three more connections for others. */
	@ParameterizedTest
	@CsvSource({ "8, false, 3", "8, true, 5", "1, false, 1" })
	void writesLeaveConnectionsForReadsAndAppends(int connections, boolean distributed, int writes) throws Exception {
		WriteGate gate = gate(connections, distributed, Duration.ofSeconds(1));
		CountDownLatch begun = new CountDownLatch(writes);
		CompletableFuture<?>[] running = IntStream.range(0, writes)
			.mapToObj((number) -> Concurrently.start(() -> gate.run(() -> {
				begun.countDown();
				return await(this.open);
			})))
			.toArray(CompletableFuture[]::new);
		assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
		assertUnavailable(() -> gate.run(() -> "one too many"));
		this.open.countDown();
		assertThat(CompletableFuture.allOf(running)).succeedsWithin(Duration.ofMinutes(1));
		assertThat(gate.<String>run(() -> "next")).isEqualTo("next");
	}

	@Test
	void aWriteThatMeetsALockedRowDelaysOnlyOthersThatDo() {
		WriteGate gate = gate(1, false, Duration.ofMinutes(1));
		Write first = new Write(() -> gate.run(lockedOnce(() -> await(this.open))));
		first.awaitState(Thread.State.WAITING);
		assertThat(gate.<String>run(() -> "meets no locked row")).isNotNull();
		AtomicInteger attempts = new AtomicInteger();
		Write second = new Write(() -> gate.run(() -> {
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
		WriteGate gate = gate(10, false, Duration.ofMinutes(1));
		Write first = new Write(() -> gate.serialize(KEY, () -> await(this.open)));
		first.awaitState(Thread.State.WAITING);
		Write second = new Write(() -> gate.serialize(KEY, () -> this.open.getCount() == 0));
		second.awaitState(Thread.State.TIMED_WAITING);
		assertThat(gate.<String>serialize(UUID.randomUUID(), () -> "another session")).isNotNull();
		assertThat(second.result).isNotDone();
		this.open.countDown();
		assertThat(second.result).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
	}

	@Test
	void writesToASessionNeverOverlap() throws Exception {
		WriteGate gate = gate(40, false, Duration.ofMinutes(1));
		AtomicInteger inside = new AtomicInteger();
		Concurrently.run(20, (number) -> IntStream.range(0, 200).map((write) -> gate.serialize(KEY, () -> {
			assertThat(inside.incrementAndGet()).isOne();
			Thread.yield();
			return inside.decrementAndGet();
		})).sum());
		assertThat(inside).hasValue(0);
	}

	@Test
	void repeatsAnAttemptThatMeetsALockedRowUntilTheTimeOut() {
		WriteGate gate = gate(10, false, Duration.ofSeconds(1));
		AtomicInteger attempts = new AtomicInteger();
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> gate.run(() -> {
			attempts.incrementAndGet();
			throw new RowLockedException(new IllegalStateException());
		})).withCauseInstanceOf(RowLockedException.class);
		assertThat(attempts).hasValueGreaterThan(2);
	}

	@Test
	void aWriteThatFailsIsNotRepeatedAndGivesItsPermitBack() {
		WriteGate gate = gate(1, false, Duration.ofSeconds(1));
		for (int write = 0; write < 2; write++) {
			AtomicInteger attempts = new AtomicInteger();
			assertThatThrownBy(() -> gate.serialize(KEY, () -> {
				attempts.incrementAndGet();
				throw new SessionException.NotFound();
			})).isInstanceOf(SessionException.NotFound.class);
			assertThat(attempts).hasValue(1);
		}
	}

	/** It has its connection already, and cannot continue after a failed statement. */
	@Test
	void aWriteWithinATransactionNeitherWaitsNorRepeats() {
		WriteGate gate = gate(1, false, Duration.ofMinutes(1));
		Write first = new Write(() -> gate.run(() -> await(this.open)));
		first.awaitState(Thread.State.WAITING);
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			assertThatThrownBy(() -> gate.run(lockedOnce(() -> true))).isInstanceOf(RowLockedException.class);
		}
		finally {
			TransactionSynchronizationManager.setActualTransactionActive(false);
		}
	}

	@Test
	void anInterruptedWriteDoesNotWait() {
		WriteGate gate = gate(10, false, Duration.ofMinutes(1));
		Thread.currentThread().interrupt();
		assertUnavailable(() -> gate.run(() -> "interrupted"));
		assertThat(Thread.interrupted()).isTrue();
	}

	private static WriteGate gate(int connections, boolean distributed, Duration timeout) {
		JdbcProperties properties = new JdbcProperties();
		properties.getTemplate().setQueryTimeout(timeout);
		return new WriteGate(new MockEnvironment().withProperty(WriteGate.POOL_SIZE, Integer.toString(connections)),
				new AppendProperties(64, 2, null, DataSize.ofKilobytes(64)), new DistributionProperties(distributed),
				new DatabaseTimeouts(properties));
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
