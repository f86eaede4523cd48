package dev.agentsessions.postgres.lifecycle;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.lifecycle.KeysToSweep.RemovedSession;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner;
import dev.agentsessions.session.SessionException;

/**
 * Looks for rows of sessions that are gone, once a day, and leaves them to the sweep. No
 * removal of this version leaves any; a replica of an earlier version leaves the rows of
 * the tables that it does not know.
 */
@Component
class OwnerlessRows implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(OwnerlessRows.class);

	static final int MAX_BATCH_KEYS = 1000;

	/** The sweep deletes rows of a user only if it knows the user. */
	private static final Comparator<OwnedTable> USER_FIRST = Comparator
		.comparingInt((table) -> -table.owner().columns().size());

	/** The key of a fork or an import is in one of them before its first row. */
	private static final String KNOWN = "select session_key from sessions where session_key = any (?)"
			+ " union select session_key from keys_to_sweep where session_key = any (?)";

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final OwnedTables tables;

	private final KeysToSweep keysToSweep;

	private final AtomicLong found = new AtomicLong();

	OwnerlessRows(Transactions transactions, JdbcTemplate jdbc, OwnedTables tables, KeysToSweep keysToSweep,
			MeterRegistry registry) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.tables = tables;
		this.keysToSweep = keysToSweep;
		Gauge.builder("agentsessions.sweep.ownerless", this.found, AtomicLong::doubleValue)
			.description("Keys with rows and without a session that the last daily look found")
			.register(registry);
	}

	@Override
	public void run() {
		try {
			long keys = this.tables.select(OwnedTable::namesSession)
				.stream()
				.sorted(USER_FIRST)
				.mapToLong(this::look)
				.sum();
			this.found.set(keys);
			if (keys > 0) {
				logger.warn("Found rows of {} sessions that are gone; they are deleted in an hour", keys);
			}
		}
		catch (SessionException.Unavailable ex) {
			logger.warn("Rows of sessions that are gone are looked for tomorrow: {}", ex.getMessage());
		}
	}

	private long look(OwnedTable table) {
		long ownerless = 0;
		List<Key> keys = next(table, new Key(ScopeKey.FIRST, ScopeKey.FIRST));
		while (!keys.isEmpty()) {
			ownerless += leaveToSweep(keys);
			keys = (keys.size() < MAX_BATCH_KEYS) ? List.of() : next(table, keys.get(keys.size() - 1));
		}
		return ownerless;
	}

	private List<Key> next(OwnedTable table, Key after) {
		List<String> columns = table.owner().columns();
		String key = String.join(", ", columns);
		boolean hasUser = columns.size() > 1;
		String sql = "select distinct %1$s from %2$s where (%1$s) > (%3$s)%4$s order by %1$s limit ?".formatted(key,
				table.name(), hasUser ? "?, ?" : "?",
				(table.owner() == Owner.SCOPE_OF_USER) ? " and user_key <> scope_key" : "");
		return this.transactions.statement(() -> this.jdbc.query(sql, (statement) -> {
			StatementParameters parameters = new StatementParameters(statement);
			(hasUser ? parameters.add(after.user) : parameters).add(after.session).add(MAX_BATCH_KEYS);
		}, (row, number) -> new Key(hasUser ? row.getObject(1, UUID.class) : ScopeKey.FIRST,
				row.getObject(columns.size(), UUID.class))));
	}

	/**
	 * Looks up the sessions after the rows: a session is there before its rows, and its
	 * key never becomes that of another one. A session that is moved to another server
	 * meanwhile seems to be gone, and may come back: what deletes rows looks again.
	 */
	private int leaveToSweep(List<Key> keys) {
		Set<UUID> known = known(keys.stream().map(Key::session).toArray());
		List<RemovedSession> gone = new HashSet<>(keys).stream()
			.filter((key) -> !known.contains(key.session))
			.map((key) -> new RemovedSession(key.session, ScopeKey.FIRST, key.user))
			.toList();
		if (!gone.isEmpty()) {
			this.transactions.write(() -> {
				this.keysToSweep.addLater(gone);
				return true;
			});
		}
		return gone.size();
	}

	private Set<UUID> known(Object[] keys) {
		return new HashSet<>(this.transactions.statement(() -> this.jdbc.query(KNOWN,
				(statement) -> new StatementParameters(statement).add("uuid", keys).add("uuid", keys),
				(row, number) -> row.getObject(1, UUID.class))));
	}

	/**
	 * The key of rows.
	 *
	 * @param user the user whose they are; zeros if they do not say it
	 * @param session the session whose they are
	 */
	private record Key(UUID user, UUID session) {
	}

}
