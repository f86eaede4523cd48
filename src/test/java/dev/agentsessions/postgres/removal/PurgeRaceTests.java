package dev.agentsessions.postgres.removal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.event.NewEvent;

/**
 * Appends that begin before the end of a session and are committed while expired sessions
 * are deleted.
 */
@PostgresTest
class PurgeRaceTests {

	private static final int SESSIONS = 8;

	@Autowired
	private Stores store;

	@Autowired
	private Purge purge;

	@Autowired
	private TransactionTemplate transaction;

	@Autowired
	private JdbcTemplate jdbc;

	@RepeatedTest(2)
	void leavesNothingOfAnAppendThatWasCommittedMeanwhile() throws Exception {
		SessionKey first = Sessions.newKey();
		List<SessionKey> keys = IntStream.range(0, SESSIONS)
			.mapToObj((number) -> Sessions.sibling(first, "s" + number))
			.toList();
		Instant end = Instant.now().plusSeconds(4);
		keys.forEach((key) -> this.store.create(Sessions.until(key, end)));

		AtomicBoolean over = new AtomicBoolean();
		Concurrently.run(SESSIONS + 1,
				(number) -> (number == 0) ? purgeUntil(over) : append(keys.get(number - 1), end, number, over));
		this.purge.run();

		for (SessionKey key : keys) {
			assertThat(this.store.find(key, EventWindow.NONE)).isEmpty();
			Session again = this.store.create(Sessions.empty(key));
			assertThat(again.state()).isEmpty();
			assertThat(this.jdbc.queryForObject("select count(*) from events where session_key = ?", Long.class,
					StoredKey.of(this.jdbc, key)))
				.isZero();
			assertThat(this.store.append(key, Events.append(Events.id("e1")))).isNotNull();
		}
	}

	private boolean purgeUntil(AtomicBoolean over) {
		while (!over.get()) {
			this.purge.run();
		}
		return true;
	}

	/** A large event goes on this thread, and so in the transaction of this test. */
	private boolean append(SessionKey key, Instant end, int number, AtomicBoolean over) {
		NewEvent event = Events.event("{\"id\":\"e1\",\"author\":\"%s\",\"actions\":{\"stateDelta\":{\"a\":1}}}"
			.formatted("x".repeat(70_000)));
		this.transaction.executeWithoutResult((status) -> {
			this.store.append(key, Events.append(event));
			waitUntil(end.plus(Duration.ofNanos(1_300_000L * number)));
		});
		if (number == SESSIONS) {
			waitUntil(end.plusMillis(50));
			over.set(true);
		}
		return true;
	}

	private static void waitUntil(Instant time) {
		LockSupport.parkUntil(time.minusMillis(20).toEpochMilli());
		while (Instant.now().isBefore(time)) {
			Thread.onSpinWait();
		}
	}

}
