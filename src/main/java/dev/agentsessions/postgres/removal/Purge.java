package dev.agentsessions.postgres.removal;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.SessionException;

/**
 * Removes sessions that have expired. Sessions that another writer has locked are left to
 * it, so replicas share the work and do not wait for each other.
 */
@Component
public class Purge implements Runnable {

	private static final Logger log = LoggerFactory.getLogger(Purge.class);

	/** So many sessions are looked for at once. */
	static final int SESSIONS_OF_PIECE = 100;

	private static final String NEXT = """
			select session_key, expire_time from sessions
			where expire_time <= statement_timestamp() and (expire_time, session_key) > (?, ?)
			order by expire_time, session_key limit ?
			""";

	private final Transactions transactions;

	private final SessionRemover remover;

	private final JdbcTemplate jdbc;

	private final Counter removed;

	private final AtomicLong lastMillis;

	private final AtomicLong lagMillis = new AtomicLong();

	Purge(Transactions transactions, SessionRemover remover, JdbcTemplate jdbc, MeterRegistry registry) {
		this.transactions = transactions;
		this.remover = remover;
		this.jdbc = jdbc;
		this.removed = Counter.builder("agentsessions.purge.removed")
			.description("Sessions that were removed after their end")
			.register(registry);
		this.lastMillis = new AtomicLong(System.currentTimeMillis());
		TimeGauge.builder("agentsessions.purge.last", this.lastMillis, TimeUnit.MILLISECONDS, AtomicLong::doubleValue)
			.description("When the last purge was done, or the service started, since 1970")
			.register(registry);
		TimeGauge.builder("agentsessions.purge.lag", this.lagMillis, TimeUnit.MILLISECONDS, AtomicLong::doubleValue)
			.description("How long the end of the oldest session was over that the last purge found")
			.register(registry);
	}

	@Override
	public void run() {
		try {
			long removed = removeAll();
			this.removed.increment(removed);
			this.lastMillis.set(System.currentTimeMillis());
			if (removed > 0) {
				log.info("Removed {} sessions that had expired", removed);
			}
		}
		catch (SessionException.Unavailable ex) {
			log.warn("Expired sessions are removed later, because the database does not answer");
		}
	}

	private long removeAll() {
		long removed = 0;
		List<End> piece = next(End.FIRST);
		this.lagMillis.set(piece.stream().mapToLong(End::millisAgo).max().orElse(0));
		while (!piece.isEmpty()) {
			removed += this.remover.removeExpired(piece.stream().map(End::sessionKey).toList());
			piece = next(piece.get(piece.size() - 1));
		}
		return removed;
	}

	/** Finds those that follow another one; the index has them in this order. */
	private List<End> next(End behind) {
		return this.transactions.statement(() -> this.jdbc.query(NEXT,
				(row, number) -> new End(row.getObject("expire_time", OffsetDateTime.class),
						row.getObject("session_key", UUID.class)),
				behind.time(), behind.sessionKey(), SESSIONS_OF_PIECE));
	}

	/**
	 * The end of a session.
	 *
	 * @param time when
	 * @param sessionKey of which
	 */
	private record End(OffsetDateTime time, UUID sessionKey) {

		static final End FIRST = new End(OffsetDateTime.MIN, new UUID(0, 0));

		/** For how long it is over. */
		long millisAgo() {
			return Math.max(0, Duration.between(this.time.toInstant(), Instant.now()).toMillis());
		}

	}

}
