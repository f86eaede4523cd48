package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.watch.WatchService;
import dev.agentsessions.watch.WatchService.Store.LiveSession;

/** Reads the versions and events that watches show. */
@Component
class PostgresWatchStore implements WatchService.Store {

	/**
	 * Reads many sessions at once by the primary key. Where the table is distributed,
	 * this goes to all shards that have one of them.
	 */
	private static final String LIVE = """
			select session_key, revision, last_update_time, details_revision, expire_time from sessions
			where session_key = any (?) and %s
			""".formatted(Sql.LIVE);

	private final SessionKeys keys;

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final EventListReader reader;

	PostgresWatchStore(SessionKeys keys, Transactions transactions, JdbcTemplate jdbc, EventListReader reader) {
		this.keys = keys;
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.reader = reader;
	}

	@Override
	public Optional<LiveSession> find(SessionName name) {
		return this.keys.read(name, (key) -> live(Map.of(key, name)).getOrDefault(key, Optional.empty()));
	}

	@Override
	public Map<UUID, Optional<LiveSession>> live(Map<UUID, SessionName> sessions) {
		Object[] keys = sessions.keySet().toArray();
		Map<UUID, Optional<LiveSession>> live = new HashMap<>();
		sessions.keySet().forEach((key) -> live.put(key, Optional.empty()));
		this.transactions
			.statement(() -> this.jdbc.query(LIVE, (statement) -> new StatementParameters(statement).add("uuid", keys),
					(row, number) -> toLiveSession(row)))
			.forEach((found) -> live.put(found.version().sessionKey(), Optional.of(found)));
		return live;
	}

	private static LiveSession toLiveSession(ResultSet row) throws SQLException {
		SessionVersion version = new SessionVersion(row.getLong("revision"), row.getObject("session_key", UUID.class),
				Columns.time(row, "last_update_time"), row.getInt("details_revision"));
		return new LiveSession(version, Columns.timeOrNull(row, "expire_time"));
	}

	@Override
	public Optional<EventPage> following(SessionName name, EventPoint point) {
		return this.reader.chunk(point.sessionKey(),
				EventQuery.of(false, ListEventsStatement.MAX_CHUNK_EVENTS).after(point));
	}

}
