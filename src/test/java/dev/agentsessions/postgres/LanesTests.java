package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.agentsessions.session.SessionException;

/** How the connections of a pool are divided. */
class LanesTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	/** With fewer connections than lanes, writes and reads meet in the pool. */
	@ParameterizedTest
	@CsvSource({ "6, 2", "10, 2", "10, 0", "40, 16" })
	void lanesOfWritesAndOneReadAddUpToThePool(int pool, int groups) {
		Lanes lanes = lanes(pool, groups);
		assertThat(Stream.of(lanes.writes(), lanes.retries(), lanes.groups(), lanes.blocked())
			.mapToInt(Lane::connections)
			.sum()).isEqualTo(pool - 1);
		assertThat(lanes.groups().connections()).isEqualTo(groups);
	}

	/** Otherwise the read would be refused that finds out that the database is away. */
	@Test
	void oneReadMoreThanThePoolHasConnectionsWaitsForThePool() {
		assertThat(lanes(10, 2).reads().connections()).isEqualTo(11);
	}

	@Test
	void countsWhatALaneRefuses() {
		Lanes lanes = lanes(1, 0);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> lanes.heavy().run(() -> 1));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(refusals("heavy")).isEqualTo(1);
		assertThat(refusals("reads")).isZero();
	}

	@Test
	void workIsInItsLanesUntilItEnds() {
		Lanes lanes = lanes(10, 2);
		assertThat(Lane.isEntered()).isFalse();
		lanes.heavy().run(() -> lanes.writes().run(() -> assertThat(Lane.isEntered()).isTrue()));
		assertThat(Lane.isEntered()).isFalse();
	}

	/** Otherwise it would keep its connection while it waits for another one. */
	@Test
	void workWithinATransactionWaitsForNoLane() {
		Lane heavy = lanes(1, 0).heavy();
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<Boolean> other = Concurrently.start(() -> heavy.run(() -> {
			begun.countDown();
			return await(end);
		}));
		assertThat(await(begun)).isTrue();
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			assertThat(heavy.<Integer>run(() -> 1)).isEqualTo(1);
		}
		finally {
			TransactionSynchronizationManager.setActualTransactionActive(false);
			end.countDown();
		}
		assertThat(other).succeedsWithin(Duration.ofMinutes(1));
	}

	private double refusals(String lane) {
		return this.registry.get("agentsessions.lane.refusals").tag("lane", lane).counter().count();
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Lanes lanes(int pool, int groups) {
		return Lanes.of(pool, groups, Duration.ofSeconds(1), Duration.ofMinutes(1), Readers.NO_SHARES, this.registry);
	}

}
