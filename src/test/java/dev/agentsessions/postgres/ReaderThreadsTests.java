package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.session.SessionException;

/** Reads on threads of their own. */
class ReaderThreadsTests extends PostgresStoreTest {

	private static final int READS = 100;

	private final ReaderThreads threads = Readers.of(2, Duration.ofMinutes(1));

	@Autowired
	private PlatformTransactionManager transactions;

	@AfterEach
	void closeThreads() {
		this.threads.close();
	}

	@Test
	void eachOfManyReadsGetsItsOwnResult() throws Exception {
		List<Integer> results = Concurrently.run(READS,
				(number) -> this.threads.run(() -> this.jdbc.queryForObject("select ?::int", Integer.class, number)));
		assertThat(results).containsExactlyInAnyOrderElementsOf(IntStream.range(0, READS).boxed().toList());
	}

	@Test
	void theCallerGetsTheFailureOfARead() {
		SessionException.NotFound exception = new SessionException.NotFound();
		assertThatThrownBy(() -> this.threads.run(() -> {
			throw exception;
		})).isSameAs(exception);
		OutOfMemoryError error = new OutOfMemoryError("made for the test");
		assertThatThrownBy(() -> this.threads.run(() -> {
			throw error;
		})).isSameAs(error);
	}

	/** On another thread it could not see what the transaction has written. */
	@Test
	void aReadWithinATransactionStaysOnItsThread() {
		Thread reader = new TransactionTemplate(this.transactions)
			.execute((status) -> this.threads.run(Thread::currentThread));
		assertThat(reader).isSameAs(Thread.currentThread());
		assertThat(this.threads.run(Thread::currentThread)).isNotSameAs(Thread.currentThread());
	}

	@Test
	void aReadThatWaitsTooLongIsUnavailable() {
		try (ReaderThreads impatient = Readers.of(1, Duration.ofNanos(1))) {
			assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> impatient.run(() -> "late"))
				.withRootCauseInstanceOf(SQLException.class);
		}
	}

	@Test
	void hasOneThreadMoreThanThePoolHasConnections() throws Exception {
		try (ReaderThreads threads = threads(3)) {
			CountDownLatch begun = new CountDownLatch(4);
			CountDownLatch end = new CountDownLatch(1);
			AtomicInteger running = new AtomicInteger();
			List<CompletableFuture<Boolean>> reads = IntStream.range(0, 5)
				.mapToObj((number) -> Concurrently.start(() -> threads.run(() -> {
					running.incrementAndGet();
					begun.countDown();
					return await(end);
				})))
				.toList();
			assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
			assertThat(running).hasValue(4);
			end.countDown();
			reads.forEach(CompletableFuture::join);
		}
	}

	/**
	 * The pool of the test lets a read wait for a connection for a quarter of a second.
	 */
	@Test
	void aReadWaitsForAThreadAsLongAsForAConnection() {
		try (ReaderThreads threads = threads(1)) {
			CountDownLatch end = new CountDownLatch(1);
			threads.execute(() -> await(end));
			threads.execute(() -> await(end));
			Waiting<String> late = new Waiting<>();
			threads.execute(() -> late.run(threads.lane(), () -> "late"));
			long since = System.nanoTime();
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.until(() -> System.nanoTime() - since > Duration.ofMillis(250).toNanos());
			end.countDown();
			assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(late::await);
		}
	}

	@Test
	void aReadRunsOnItsCallerIfAThousandWait() {
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger completed = new AtomicInteger();
		try (ReaderThreads one = Readers.of(1, Duration.ofMinutes(1))) {
			one.execute(() -> await(end));
			IntStream.range(0, 1000).forEach((number) -> one.execute(completed::incrementAndGet));
			assertThat(completed).hasValue(0);
			assertThat(one.run(Thread::currentThread)).isSameAs(Thread.currentThread());
		}
		finally {
			end.countDown();
		}
		Awaitility.await().atMost(Duration.ofMinutes(1)).untilAtomic(completed, Matchers.is(1000));
	}

	/** No caller would use its result. */
	@Test
	void aReadWhoseCallerIsGoneDoesNotRun() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger reads = new AtomicInteger();
		try (ReaderThreads one = Readers.of(1, Duration.ofMinutes(1))) {
			one.execute(() -> await(end));
			Thread caller = new Thread(() -> {
				try {
					one.run(reads::incrementAndGet);
				}
				catch (SessionException.Unavailable ex) {
					// As it should be
				}
			});
			caller.start();
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> caller.getState() == Thread.State.WAITING);
			caller.interrupt();
			caller.join();
			end.countDown();
			assertThat(one.<Integer>run(reads::get)).isZero();
		}
	}

	@Test
	void anInterruptedCallerDoesNotWait() {
		CountDownLatch end = new CountDownLatch(1);
		try {
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(SessionException.Unavailable.class)
				.isThrownBy(() -> this.threads.run(() -> await(end)));
			assertThat(Thread.interrupted()).isTrue();
		}
		finally {
			end.countDown();
		}
	}

	@Test
	void aReadAfterTheEndRunsOnItsCaller() {
		this.threads.close();
		assertThat(this.threads.run(Thread::currentThread)).isSameAs(Thread.currentThread());
	}

	private static ReaderThreads threads(int connections) {
		return new ReaderThreads(Lanes.of(connections, 0, Duration.ZERO, Duration.ofMillis(250), Readers.NO_SHARES,
				new SimpleMeterRegistry()));
	}

	private static boolean await(CountDownLatch end) {
		try {
			end.await();
			return true;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
