package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.ImportedPiece;
import dev.agentsessions.session.ImportedSession;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.TransferStore;
import dev.agentsessions.state.StateScope;

/**
 * Takes whole sessions in and out. A session that does not come in one transaction is
 * written under a key of its own, and the last transaction makes it a session
 * ({@link KeysToSweep}).
 */
@Component
class PostgresTransferStore implements TransferStore {

	private static final String SUMMARY = """
			select revision, create_time, events.id as last_event_id
			from sessions left join events on events.session_key = sessions.session_key and seq = revision
			where sessions.session_key = ? and (expire_time is null or expire_time > statement_timestamp())
			""";

	private final SessionKeys keys;

	private final Transactions transactions;

	private final HeavyReads heavyReads;

	private final JdbcTemplate jdbc;

	private final SessionReader reader;

	private final TransferList list;

	private final SharedStateInsert sharedState;

	private final SessionInsert insert;

	private final PlacedEventsStatement placedEvents;

	private final StateWriter stateWriter;

	private final StateLimit stateLimit;

	private final KeysToSweep keysToSweep;

	private final KeySweeper sweeper;

	private final SessionRepository sessions;

	private final InitialStates initialStates;

	PostgresTransferStore(SessionKeys keys, Transactions transactions, HeavyReads heavyReads, JdbcTemplate jdbc,
			SessionReader reader, TransferList list, SharedStateInsert sharedState, SessionInsert insert,
			PlacedEventsStatement placedEvents, StateWriter stateWriter, StateLimit stateLimit, KeysToSweep keysToSweep,
			KeySweeper sweeper, SessionRepository sessions, InitialStates initialStates) {
		this.keys = keys;
		this.transactions = transactions;
		this.heavyReads = heavyReads;
		this.jdbc = jdbc;
		this.reader = reader;
		this.list = list;
		this.sharedState = sharedState;
		this.insert = insert;
		this.placedEvents = placedEvents;
		this.stateWriter = stateWriter;
		this.stateLimit = stateLimit;
		this.keysToSweep = keysToSweep;
		this.sweeper = sweeper;
		this.sessions = sessions;
		this.initialStates = initialStates;
	}

	@Override
	public Instant now() {
		return this.transactions.statement(this.sessions::now);
	}

	@Override
	public Optional<String> nextUser(String appName, @Nullable String behind) {
		return this.transactions.statement(() -> this.list.nextUser(appName, behind));
	}

	@Override
	public List<String> sessionIds(StateOwner user, String behind) {
		return this.transactions.statement(() -> this.list.sessionIds(user, behind));
	}

	@Override
	public Optional<Session> find(SessionKey names) {
		return this.heavyReads.run(() -> this.reader.findAlone(names));
	}

	@Override
	public Map<String, JsonText> initialState(UUID birth) {
		return this.reader.initialState(birth);
	}

	@Override
	public Optional<Summary> summary(SessionKey names) {
		return this.keys.read(
				names, (
						key) -> this.transactions
							.statement(() -> this.jdbc.query(SUMMARY,
									(row, number) -> new Summary(row.getLong("revision"),
											Columns.time(row, "create_time"), row.getString("last_event_id")),
									key))
							.stream()
							.findFirst());
	}

	@Override
	public Map<String, JsonText> state(StateOwner owner) {
		return this.reader.state(owner);
	}

	@Override
	public Map<String, JsonText> addState(StateOwner owner, Map<String, JsonText> values) {
		List<StateRow> rows = StateRow.of(owner, values);
		return this.transactions.write(ScopeKey.of(owner), () -> {
			Map<UUID, StateScope> due = this.stateLimit.count(rows);
			Map<String, JsonText> there = this.sharedState.add(ScopeKey.of(owner), values);
			this.stateLimit.check(due);
			return there;
		});
	}

	@Override
	public UUID begin(StateOwner user) {
		return this.transactions.write(() -> this.keysToSweep.begin(ScopeKey.of(user)));
	}

	@Override
	public void add(SessionKey names, UUID key, ImportedPiece piece) {
		this.transactions.write(key, () -> {
			this.keysToSweep.extend(key);
			store(names, key, piece);
			return true;
		});
	}

	@Override
	public void finish(ImportedSession session, @Nullable UUID key, ImportedPiece piece,
			Collection<String> initialKeys) {
		UUID sessionKey = (key != null) ? key : SessionRow.newKey();
		this.transactions.write(sessionKey, () -> {
			if (key != null) {
				this.keysToSweep.release(key);
			}
			this.insert.insert(SessionRow.of(sessionKey, session));
			store(session.key(), sessionKey, piece);
			this.initialStates.copyFromState(sessionKey, initialKeys);
			return true;
		});
	}

	@Override
	public void abandon(UUID key) {
		this.sweeper.giveUp(key);
	}

	private void store(SessionKey names, UUID key, ImportedPiece piece) {
		try {
			this.placedEvents.execute(key, names.app(), piece.events().stream().map(PlacedEvent::of).toList());
		}
		catch (DuplicateKeyException ex) {
			throw new SessionException.InvalidArgument("event.id", "must not be that of another event of the session");
		}
		this.initialStates.add(key, piece.initialState());
		List<StateRow> rows = StateRow.ofSession(key, piece.state());
		Map<UUID, StateScope> due = this.stateLimit.count(rows);
		this.stateWriter.upsert(rows);
		this.stateLimit.check(due);
	}

}
