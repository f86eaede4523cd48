package dev.agentsessions.postgres;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StateChanges.Row;
import dev.agentsessions.session.AppendRequest;
import dev.agentsessions.session.AppendResult;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/**
 * Appends events, together with others where that is possible. Only an append that stored
 * nothing costs a look at the reason.
 */
@Component
class Appender {

	/**
	 * Between an attempt and the look at its reason, another writer may have been there.
	 */
	private static final int ATTEMPTS = 10;

	private final AppendProperties properties;

	private final Transactions transactions;

	private final GroupCommit groups;

	private final AppendStatement statement;

	private final StateWriter stateWriter;

	private final SessionWriter sessionWriter;

	private final AppendDiagnosis diagnosis;

	private final StateLimit stateLimit;

	Appender(AppendProperties properties, Transactions transactions, GroupCommit groups, AppendStatement statement,
			StateWriter stateWriter, SessionWriter sessionWriter, AppendDiagnosis diagnosis, StateLimit stateLimit) {
		this.properties = properties;
		this.transactions = transactions;
		this.groups = groups;
		this.statement = statement;
		this.stateWriter = stateWriter;
		this.sessionWriter = sessionWriter;
		this.diagnosis = diagnosis;
		this.stateLimit = stateLimit;
	}

	AppendResult append(SessionKey key, AppendRequest append) {
		GroupedAppend grouped = new GroupedAppend(key, append);
		Set<UUID> due = this.stateLimit.count(grouped.changes());
		if (!due.isEmpty() || !together(append)) {
			return appendAlone(key, append, due);
		}
		return this.groups.append(grouped).or(() -> replay(key, append)).orElseGet(() -> appendAlone(key, append, due));
	}

	private boolean together(AppendRequest append) {
		return this.properties.grouping() && append.details().equals(SessionDetails.NONE)
				&& append.precondition().detailsRevision() == null
				&& append.event().body().text().length() < this.properties.largeEvent().toBytes();
	}

	private AppendResult appendAlone(SessionKey key, AppendRequest append, Set<UUID> due) {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			Optional<AppendResult> result = store(key, append, due).or(() -> replay(key, append));
			if (result.isPresent()) {
				return result.get();
			}
		}
		throw new SessionException.Unavailable(new ConcurrencyFailureException("Lost " + ATTEMPTS + " races"));
	}

	private Optional<AppendResult> replay(SessionKey key, AppendRequest append) {
		return this.transactions.read(() -> this.diagnosis.diagnose(key, append));
	}

	/**
	 * Without groups, most appends need one statement only, and one round trip. Then it
	 * waits for its session for as long as a statement may take.
	 */
	private Optional<AppendResult> store(SessionKey key, AppendRequest append, Set<UUID> due) {
		List<Row> own = StateChanges.own(key, append.event().delta());
		List<Row> shared = StateChanges.shared(key, append.event().delta());
		boolean single = !this.properties.grouping() && due.isEmpty() && shared.isEmpty()
				&& own.stream().noneMatch(Row::isRemoval) && append.details().equals(SessionDetails.NONE);
		try {
			return this.transactions.inTurn(ScopeKey.of(key),
					() -> single ? this.transactions.statement(() -> this.statement.execute(key, append, own))
							: this.transactions.once(() -> storeWith(own, shared, key, append, due)));
		}
		catch (DuplicateKeyException ex) {
			return Optional.empty();
		}
	}

	private Optional<AppendResult> storeWith(List<Row> own, List<Row> shared, SessionKey key, AppendRequest append,
			Set<UUID> due) {
		Optional<AppendResult> stored = this.statement.execute(key, append, own);
		if (stored.isPresent()) {
			this.stateWriter.upsert(shared);
			this.stateLimit.check(due, key);
			this.stateWriter.remove(Stream.concat(own.stream(), shared.stream()).toList());
			updateDetails(key, append.details());
		}
		return stored;
	}

	private void updateDetails(SessionKey key, SessionDetails details) {
		if (!details.equals(SessionDetails.NONE)) {
			this.sessionWriter.updateDetails(key, details, Precondition.NONE);
		}
	}

}
