package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.RemovalStatements.Which;
import dev.agentsessions.session.ImportLease;
import dev.agentsessions.session.ImportedPiece;
import dev.agentsessions.session.ImportedSession;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.TransferStore;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/**
 * Takes whole sessions in and out. A session that does not come in one transaction is
 * marked like one that is being removed ({@link ImportStatements}), so that nobody finds
 * it and the purge clears away what an interruption leaves.
 */
@Component
class PostgresTransferStore implements TransferStore {

	private final Transactions transactions;

	private final SessionReader reader;

	private final TransferList list;

	private final ImportStatements statements;

	private final PlacedEventsStatement placedEvents;

	private final StateWriter stateWriter;

	private final StateLimit stateLimit;

	private final SessionRemover remover;

	private final SessionRepository sessions;

	private final InitialStates initialStates;

	PostgresTransferStore(Transactions transactions, SessionReader reader, TransferList list,
			ImportStatements statements, PlacedEventsStatement placedEvents, StateWriter stateWriter,
			StateLimit stateLimit, SessionRemover remover, SessionRepository sessions, InitialStates initialStates) {
		this.transactions = transactions;
		this.reader = reader;
		this.list = list;
		this.statements = statements;
		this.placedEvents = placedEvents;
		this.stateWriter = stateWriter;
		this.stateLimit = stateLimit;
		this.remover = remover;
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
	public Optional<Session> find(SessionKey key) {
		return this.reader.findAlone(key);
	}

	@Override
	public Optional<Map<String, JsonText>> initialState(SessionKey key, Instant createTime) {
		return this.reader.initialState(key, createTime);
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
			Map<String, JsonText> there = this.statements.addState(ScopeKey.of(owner), values);
			this.stateLimit.check(due);
			return there;
		});
	}

	@Override
	public void create(ImportedSession session, ImportedPiece piece) {
		create(session.key(), () -> {
			if (!this.statements.insert(session)) {
				throw new SessionException.AlreadyExists(session.key().sessionId());
			}
			store(session.key(), piece);
			return true;
		});
	}

	@Override
	public ImportLease begin(SessionKey key) {
		return create(key, () -> this.statements.insertHidden(key)
			.orElseThrow(() -> new SessionException.AlreadyExists(key.sessionId())));
	}

	@Override
	public ImportLease add(SessionKey key, ImportLease lease, ImportedPiece piece) {
		return this.transactions.write(ScopeKey.of(key), () -> {
			ImportLease extended = this.statements.extend(key, lease, piece.lastSeq());
			store(key, piece);
			return extended;
		});
	}

	@Override
	public void finish(ImportedSession session, ImportLease lease, ImportedPiece piece) {
		this.transactions.write(ScopeKey.of(session.key()), () -> {
			this.statements.show(session, lease);
			store(session.key(), piece);
			return true;
		});
	}

	@Override
	public void abandon(SessionKey key, ImportLease lease) {
		if (this.transactions.write(ScopeKey.of(key), () -> this.statements.giveUp(key, lease))) {
			this.remover.remove(List.of(ScopeKey.of(key)), Which.GONE);
		}
	}

	private <T> T create(SessionKey key, Supplier<T> creation) {
		UUID sessionKey = ScopeKey.of(key);
		return this.remover.makingRoom(sessionKey, () -> this.transactions.write(sessionKey, creation));
	}

	/** Within a transaction that has the row of the session. */
	private void store(SessionKey key, ImportedPiece piece) {
		try {
			this.placedEvents.execute(ScopeKey.of(key), piece.events().stream().map(PlacedEvent::of).toList());
		}
		catch (DuplicateKeyException ex) {
			throw new SessionException.InvalidArgument("event.id", "must not be that of another event of the session");
		}
		this.initialStates.add(ScopeKey.of(key), piece.initialState());
		List<StateRow> rows = StateRow.of(key, new StateDelta(piece.state()));
		Map<UUID, StateScope> due = this.stateLimit.count(rows);
		this.stateWriter.upsert(rows);
		this.stateLimit.check(due);
	}

}
