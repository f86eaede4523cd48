package dev.agentsessions.postgres.lifecycle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.event.EventWriter;
import dev.agentsessions.postgres.session.SequencedEvent;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.session.SessionReader;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.postgres.state.InitialStateStatements;
import dev.agentsessions.postgres.state.SharedState;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateSizeLimit;
import dev.agentsessions.postgres.state.StateWriter;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.TransferService;
import dev.agentsessions.session.transfer.TransferService.Store.ImportChunk;
import dev.agentsessions.state.StateScope;

/**
 * Exports and imports whole sessions. An import of several transactions writes under a
 * new key, and the last transaction makes it a session ({@link KeysToSweep}).
 */
@Component
public class PostgresTransferStore implements TransferService.Store {

	private static final String SUMMARY = """
			select revision, create_time, events.id as last_event_id
			from sessions left join events on events.session_key = sessions.session_key and seq = revision
			where sessions.session_key = ? and %s
			""".formatted(Sql.LIVE);

	private final SessionKeys keys;

	private final Transactions transactions;

	private final Lanes lanes;

	private final JdbcClient jdbc;

	private final SessionReader reader;

	private final SharedState sharedState;

	private final SessionInsert insert;

	private final EventWriter eventWriter;

	private final StateWriter stateWriter;

	private final StateSizeLimit stateLimit;

	private final KeysToSweep keysToSweep;

	private final KeySweeper sweeper;

	private final SessionRepository sessions;

	private final InitialStateStatements initialStates;

	PostgresTransferStore(SessionKeys keys, Transactions transactions, Lanes lanes, JdbcClient jdbc,
			SessionReader reader, SharedState sharedState, SessionInsert insert, EventWriter eventWriter,
			StateWriter stateWriter, StateSizeLimit stateLimit, KeysToSweep keysToSweep, KeySweeper sweeper,
			SessionRepository sessions, InitialStateStatements initialStates) {
		this.keys = keys;
		this.transactions = transactions;
		this.lanes = lanes;
		this.jdbc = jdbc;
		this.reader = reader;
		this.sharedState = sharedState;
		this.insert = insert;
		this.eventWriter = eventWriter;
		this.stateWriter = stateWriter;
		this.stateLimit = stateLimit;
		this.keysToSweep = keysToSweep;
		this.sweeper = sweeper;
		this.sessions = sessions;
		this.initialStates = initialStates;
	}

	@Override
	public Instant now(StateOwner owner) {
		return this.transactions.statement(this.sessions::now);
	}

	@Override
	public Optional<String> nextUser(String appName, @Nullable String after) {
		return this.transactions.statement(() -> this.sessions.nextUser(appName, after));
	}

	@Override
	public List<String> sessionIds(StateOwner user, String after) {
		return this.lanes.heavy()
			.runNext(() -> this.transactions.statement(() -> this.sessions.sessionIds(user, after)));
	}

	@Override
	public Optional<Session> find(SessionName name) {
		return this.lanes.heavy().runNext(() -> this.reader.findAlone(name));
	}

	@Override
	public Map<String, JsonText> initialState(SessionName name, UUID sessionKey) {
		return this.reader.initialState(sessionKey);
	}

	@Override
	public Optional<Summary> summary(SessionName name) {
		return this.keys.read(name, (key) -> this.transactions
			.statement(() -> this.jdbc.sql(SUMMARY).param(key).query(PostgresTransferStore::summary).optional()));
	}

	private static Summary summary(ResultSet row, int number) throws SQLException {
		return new Summary(row.getLong("revision"), Columns.time(row, "create_time"), row.getString("last_event_id"));
	}

	@Override
	public void confirmReads(StateOwner owner) {
		this.transactions.confirmReads();
	}

	@Override
	public Map<String, JsonText> state(StateOwner owner) {
		return this.sharedState.read(owner);
	}

	@Override
	public Map<String, JsonText> addState(StateOwner owner, Map<String, JsonText> values) {
		List<StateRow> rows = StateRow.of(owner, values);
		return this.transactions.write(ScopeKey.of(owner), () -> {
			Map<UUID, StateScope> due = this.stateLimit.count(rows);
			Map<String, JsonText> existing = this.sharedState.add(ScopeKey.of(owner), values);
			this.stateLimit.check(due);
			return existing;
		});
	}

	@Override
	public UUID begin(StateOwner user) {
		return this.transactions.write(() -> this.keysToSweep.begin(ScopeKey.of(user)));
	}

	@Override
	public void add(SessionName name, UUID key, ImportChunk chunk) {
		this.transactions.write(key, () -> {
			this.keysToSweep.extend(key);
			store(name, key, chunk);
			return true;
		});
	}

	@Override
	public void finish(ImportedSession session, @Nullable UUID key, ImportChunk chunk, Collection<String> initialKeys) {
		UUID sessionKey = (key != null) ? key : SessionRow.newKey();
		this.transactions.write(sessionKey, () -> {
			if (key != null) {
				this.keysToSweep.release(key);
			}
			this.insert.insert(SessionRow.of(sessionKey, session));
			store(session.name(), sessionKey, chunk);
			this.initialStates.copyFromState(sessionKey, initialKeys);
			return true;
		});
	}

	@Override
	public void abandon(StateOwner user, UUID key) {
		this.sweeper.giveUp(key);
	}

	private void store(SessionName name, UUID key, ImportChunk chunk) {
		try {
			this.eventWriter.execute(key, name.app(), chunk.events().stream().map(SequencedEvent::of).toList());
		}
		catch (DuplicateKeyException ex) {
			throw new SessionException.InvalidArgument("event.id", "must be unique in the session");
		}
		this.initialStates.add(key, chunk.initialState());
		List<StateRow> rows = StateRow.ofSession(key, chunk.state());
		Map<UUID, StateScope> due = this.stateLimit.count(rows);
		this.stateWriter.upsert(rows);
		this.stateLimit.check(due);
	}

}
