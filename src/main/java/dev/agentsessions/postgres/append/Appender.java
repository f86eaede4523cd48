package dev.agentsessions.postgres.append;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.AppendProperties;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.pending.PendingCallStatements;
import dev.agentsessions.postgres.session.SessionDetailsWriter;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.state.StateSizeLimit;
import dev.agentsessions.postgres.state.StateWriter;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.AppendStore;
import dev.agentsessions.session.event.BatchAppendResult;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.state.StateScope;

/**
 * Appends events, together with others where that is possible. Only an append that stored
 * nothing costs a look at the reason.
 */
@Component
class Appender implements AppendStore {

	/**
	 * Between an attempt and the look at its reason, another writer may have been there.
	 */
	private static final int ATTEMPTS = 10;

	private final AppendProperties properties;

	private final SessionKeys keys;

	private final Transactions transactions;

	private final GroupCommit groups;

	private final BatchAppender batches;

	private final AppendStatement statement;

	private final StateWriter stateWriter;

	private final SessionDetailsWriter detailsWriter;

	private final AppendDiagnosis diagnosis;

	private final StateSizeLimit stateLimit;

	private final PendingCallStatements pending;

	private final AppendMetrics metrics;

	Appender(AppendProperties properties, SessionKeys keys, Transactions transactions, GroupCommit groups,
			BatchAppender batches, AppendStatement statement, StateWriter stateWriter,
			SessionDetailsWriter detailsWriter, AppendDiagnosis diagnosis, StateSizeLimit stateLimit,
			PendingCallStatements pending, AppendMetrics metrics) {
		this.properties = properties;
		this.keys = keys;
		this.transactions = transactions;
		this.groups = groups;
		this.batches = batches;
		this.statement = statement;
		this.stateWriter = stateWriter;
		this.detailsWriter = detailsWriter;
		this.diagnosis = diagnosis;
		this.stateLimit = stateLimit;
		this.pending = pending;
		this.metrics = metrics;
	}

	@Override
	public AppendResult append(SessionKey session, AppendRequest request) {
		return this.keys.with(session, (key) -> append(new QueuedAppend(session, key, request)));
	}

	@Override
	public BatchAppendResult appendAll(SessionKey session, List<NewEvent> events, Precondition precondition) {
		return this.batches.append(session, events, precondition);
	}

	private AppendResult append(QueuedAppend append) {
		Map<UUID, StateScope> due = this.stateLimit.count(append.changes());
		if (!due.isEmpty() || !together(append)) {
			return appendAlone(append, due);
		}
		return this.groups.append(append).or(() -> replay(append)).orElseGet(() -> appendAlone(append, due));
	}

	/**
	 * What may take long, because it is large or has to look at the history, keeps nobody
	 * waiting.
	 */
	private boolean together(QueuedAppend append) {
		AppendRequest request = append.request();
		return append.isMeant() && this.properties.grouping() && this.statement.isSingle()
				&& request.details().equals(SessionDetails.NONE) && request.precondition().detailsRevision() == null
				&& request.event().body().text().length() < this.properties.largeEvent().toBytes();
	}

	private AppendResult appendAlone(QueuedAppend append, Map<UUID, StateScope> due) {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			Optional<AppendResult> result = store(append, due).or(() -> replay(append));
			if (result.isPresent()) {
				return result.get();
			}
		}
		throw new SessionException.Unavailable(new ConcurrencyFailureException("Lost " + ATTEMPTS + " races"));
	}

	private Optional<AppendResult> replay(QueuedAppend append) {
		return this.transactions.read(() -> this.diagnosis.diagnose(append));
	}

	/**
	 * Without groups, most appends need one statement only, and one round trip. Then it
	 * waits for its session for as long as a statement may take.
	 */
	private Optional<AppendResult> store(QueuedAppend append, Map<UUID, StateScope> due) {
		if (!append.isMeant()) {
			return Optional.empty();
		}
		boolean single = this.statement.isSingle() && !this.properties.grouping() && due.isEmpty()
				&& append.sharedChanges().isEmpty() && !append.needsTransaction()
				&& append.request().details().equals(SessionDetails.NONE);
		try {
			Optional<AppendResult> stored = this.transactions.inTurn(append.sessionKey(),
					() -> single ? this.transactions.statement(() -> this.statement.execute(append))
							: this.transactions.once(() -> storeAll(append, due)));
			this.metrics.added(stored.isPresent() ? 1 : 0);
			return stored;
		}
		catch (DuplicateKeyException ex) {
			return Optional.empty();
		}
	}

	private Optional<AppendResult> storeAll(QueuedAppend append, Map<UUID, StateScope> due) {
		Optional<AppendResult> stored = this.statement.execute(append);
		if (stored.isPresent()) {
			this.stateWriter.upsert(append.sharedChanges());
			this.stateLimit.check(due);
			this.stateWriter.remove(append.changes());
			updateDetails(append.sessionKey(), append.request().details());
			stored.ifPresent((result) -> this.pending.add(append.sessionKey(), append.session().app(),
					List.of(append.sequenced(result))));
		}
		return stored;
	}

	private void updateDetails(UUID sessionKey, SessionDetails details) {
		if (!details.equals(SessionDetails.NONE)) {
			this.detailsWriter.updateDetails(sessionKey, details, Precondition.NONE);
		}
	}

}
