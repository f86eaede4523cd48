package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.EventPage;
import dev.agentsessions.session.EventQuery;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.watch.LiveSession;
import dev.agentsessions.watch.WatchStore;

/** Reads for watches. */
@Component
class PostgresWatchStore implements WatchStore {

	/**
	 * Names many sessions by design, each by the whole primary key. Where the table is
	 * distributed, this goes to all shards that have one of them.
	 */
	private static final String LIVE = """
			select session_key, create_time, revision, details_revision, expire_time from sessions
			where session_key = any (?) and (expire_time is null or expire_time > statement_timestamp())
			""";

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final SessionReader reader;

	PostgresWatchStore(Transactions transactions, JdbcTemplate jdbc, SessionReader reader) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.reader = reader;
	}

	@Override
	public Map<SessionKey, LiveSession> live(Collection<SessionKey> keys) {
		Map<UUID, SessionKey> wanted = new HashMap<>();
		keys.forEach((key) -> wanted.put(ScopeKey.of(key), key));
		return this.transactions.statement(() -> {
			Map<SessionKey, LiveSession> live = new HashMap<>();
			this.jdbc.query(LIVE, (statement) -> new Parameters(statement).add("uuid", wanted.keySet().toArray()),
					(row) -> {
						live.put(wanted.get(row.getObject("session_key", UUID.class)), toLiveSession(row));
					});
			return live;
		});
	}

	private static LiveSession toLiveSession(ResultSet row) throws SQLException {
		SessionVersion version = new SessionVersion(row.getLong("revision"), Columns.time(row, "create_time"),
				row.getInt("details_revision"));
		return new LiveSession(version, Columns.timeOrNull(row, "expire_time"));
	}

	@Override
	public Optional<EventPage> following(SessionKey key, Instant createTime, long seq) {
		EventQuery query = new EventQuery(false, seq, Long.MAX_VALUE, null, null, null,
				EventsStatement.EVENTS_OF_PIECE);
		return this.reader.piece(key, query.ofSession(createTime));
	}

}
