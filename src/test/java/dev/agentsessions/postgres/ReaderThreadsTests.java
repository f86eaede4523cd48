package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.session.SessionException;

/** Reads on threads of their own. */
class ReaderThreadsTests extends PostgresStoreTest {

	private static final int READS = 100;

	private final ReaderThreads threads = new ReaderThreads(2, Duration.ofMinutes(1));

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
		try (ReaderThreads impatient = new ReaderThreads(1, Duration.ZERO)) {
			assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> impatient.run(() -> "late"))
				.withRootCauseInstanceOf(SQLException.class);
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
