package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.NewEvent;

/**
 * Appends that begin before the end of a session and are committed while expired sessions
 * are deleted.
 */
class PurgeRaceTests extends PostgresStoreTest {

	private static final int SESSIONS = 8;

	@Autowired
	private Purge purge;

	@Autowired
	private TransactionTemplate transaction;

	@RepeatedTest(2)
	void purgeLeavesNothingOfAppendCommittedMeanwhile() throws Exception {
		SessionName first = Sessions.newKey();
		List<SessionName> keys = IntStream.range(0, SESSIONS)
			.mapToObj((number) -> Sessions.sibling(first, "s" + number))
			.toList();
		Instant end = Instant.now().plusSeconds(4);
		keys.forEach((name) -> this.store.create(Sessions.until(name, end)));

		AtomicInteger purges = new AtomicInteger();
		CountDownLatch appends = new CountDownLatch(SESSIONS);
		Concurrently.run(SESSIONS + 1, (number) -> (number == 0) ? purge(end, purges, appends)
				: append(keys.get(number - 1), number, purges, appends));
		this.purge.run();

		for (SessionName name : keys) {
			assertThat(this.store.find(name, EventWindow.NONE)).isEmpty();
			Session again = this.store.create(Sessions.empty(name));
			assertThat(again.state()).isEmpty();
			assertThat(this.jdbc.queryForObject("select count(*) from events where session_key = ?", Long.class,
					StoredKey.of(this.jdbc, name)))
				.isZero();
			assertThat(this.store.append(name, Events.append(Events.id("e1")))).isNotNull();
		}
	}

	/** Purges until all appends are committed, and counts purges after the end. */
	private boolean purge(Instant end, AtomicInteger purges, CountDownLatch appends) {
		while (appends.getCount() > 0) {
			boolean isOver = this.jdbc.queryForObject("select statement_timestamp() >= ?", Boolean.class,
					end.atOffset(ZoneOffset.UTC));
			this.purge.run();
			purges.addAndGet(isOver ? 1 : 0);
		}
		return true;
	}

	/**
	 * Commits an append after a number of purges. A large event goes on this thread, and
	 * so in the transaction of this test.
	 */
	private boolean append(SessionName name, int number, AtomicInteger purges, CountDownLatch appends) {
		NewEvent event = Events.event("{\"id\":\"e1\",\"author\":\"%s\",\"actions\":{\"stateDelta\":{\"a\":1}}}"
			.formatted("x".repeat(70_000)));
		try {
			this.transaction.executeWithoutResult((status) -> {
				this.store.append(name, Events.append(event));
				Awaitility.await()
					.atMost(Duration.ofMinutes(1))
					.pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(1))
					.until(() -> purges.get() >= number);
			});
		}
		finally {
			appends.countDown();
		}
		return true;
	}

}
