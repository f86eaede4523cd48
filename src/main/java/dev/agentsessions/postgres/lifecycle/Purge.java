package dev.agentsessions.postgres.lifecycle;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.AuditLog;
import dev.agentsessions.session.SessionException;

/**
 * Removes expired sessions and facts. It skips sessions that another transaction has
 * locked, so replicas share the work and do not wait for each other.
 */
@Component
public class Purge implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Purge.class);

	/** Maximum number of sessions in one transaction. */
	static final int MAX_BATCH_SESSIONS = 100;

	private static final String NEXT = """
			select session_key, expire_time as time,
			  floor(extract(epoch from statement_timestamp() - expire_time) * 1000)::bigint as millis_ago
			from sessions
			where expire_time <= statement_timestamp() and (expire_time, session_key) > (?, ?)
			order by expire_time, session_key limit ?
			""";

	private static final String NOW = "select floor(extract(epoch from statement_timestamp()) * 1000)::bigint";

	/** Maximum number of facts in one transaction. */
	private static final int MAX_BATCH_FACTS = 1000;

	private static final String DELETE_FACTS = """
			delete from memories where expire_time <= (
			  select max(expire_time) from (
			    select expire_time from memories where expire_time <= statement_timestamp()
			    order by expire_time limit ?) as batch)
			""";

	private final Transactions transactions;

	private final SessionRemover remover;

	private final JdbcClient jdbc;

	private final AuditLog audit;

	private final Counter removed;

	private final AtomicLong lastMillis;

	private final AtomicLong lagMillis = new AtomicLong();

	Purge(Transactions transactions, SessionRemover remover, JdbcClient jdbc, AuditLog audit, MeterRegistry registry) {
		this.transactions = transactions;
		this.remover = remover;
		this.jdbc = jdbc;
		this.audit = audit;
		this.removed = Counter.builder("agentsessions.purge.removed")
			.description("Expired sessions that were removed")
			.register(registry);
		this.lastMillis = new AtomicLong(System.currentTimeMillis());
		TimeGauge.builder("agentsessions.purge.last", this.lastMillis, TimeUnit.MILLISECONDS, AtomicLong::doubleValue)
			.description("When the last purge ended, or the service started, since 1970")
			.register(registry);
		TimeGauge.builder("agentsessions.purge.lag", this.lagMillis, TimeUnit.MILLISECONDS, AtomicLong::doubleValue)
			.description("How long the oldest session that the last purge found had been expired")
			.register(registry);
	}

	@Override
	public void run() {
		try {
			long removed = removeAll();
			long facts = removeFacts();
			this.removed.increment(removed);
			this.lastMillis.set(now());
			if (removed > 0) {
				logger.info("Removed {} sessions that had expired", removed);
			}
			if (removed + facts > 0) {
				this.audit.add("expired.purge", Map.of("sessions", removed, "facts", facts));
			}
		}
		catch (SessionException.Unavailable ex) {
			logger.warn("Expired sessions are removed later, because the database does not answer");
		}
	}

	private long removeFacts() {
		long all = 0;
		int removed;
		do {
			removed = this.transactions.write(() -> this.jdbc.sql(DELETE_FACTS).param(MAX_BATCH_FACTS).update());
			all += removed;
		}
		while (removed >= MAX_BATCH_FACTS);
		return all;
	}

	/** Returns the time of the database, as the clock of this replica may be wrong. */
	private long now() {
		return this.transactions.statement(() -> this.jdbc.sql(NOW).query(Long.class).single());
	}

	private long removeAll() {
		long removed = 0;
		List<Cursor> batch = next(Cursor.FIRST);
		this.lagMillis.set(batch.stream().mapToLong(Cursor::millisAgo).max().orElse(0));
		while (!batch.isEmpty()) {
			removed += this.remover.removeExpired(batch.stream().map(Cursor::sessionKey).toList());
			batch = next(batch.get(batch.size() - 1));
		}
		return removed;
	}

	/** Returns the next expired sessions, in the order of the index. */
	private List<Cursor> next(Cursor after) {
		return this.transactions.statement(() -> this.jdbc.sql(NEXT)
			.params(after.time(), after.sessionKey(), MAX_BATCH_SESSIONS)
			.query(Cursor.class)
			.list());
	}

	/**
	 * The position of an expired session in the index.
	 *
	 * @param time when it expired
	 * @param sessionKey its key
	 * @param millisAgo for how many milliseconds it has been expired, by the clock of the
	 * database
	 */
	private record Cursor(OffsetDateTime time, UUID sessionKey, long millisAgo) {

		static final Cursor FIRST = new Cursor(OffsetDateTime.MIN, ScopeKey.FIRST, 0);

	}

}
