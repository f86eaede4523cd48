package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;
import org.springframework.mock.env.MockEnvironment;

import dev.agentsessions.session.SessionException;

/** How much heavy work is done at once. */
class HeavyReadsTests {

	@Test
	void heavyReadsTakeQuarterOfConnections() throws Exception {
		HeavyReads reads = reads("9");
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
		HeavyReads reads = reads("1");
		assertThat(reads.<Integer>run(() -> reads.run(() -> 5))).isEqualTo(5);
		assertThat(reads.<Integer>run(() -> 6)).isEqualTo(6);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static HeavyReads reads(String connections) {
		JdbcProperties properties = new JdbcProperties();
		properties.getTemplate().setQueryTimeout(Duration.ofSeconds(1));
		return new HeavyReads(new MockEnvironment().withProperty(WriteGate.POOL_SIZE, connections),
				new DatabaseTimeouts(properties));
	}

}
