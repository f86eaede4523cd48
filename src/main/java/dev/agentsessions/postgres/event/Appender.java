package dev.agentsessions.postgres.event;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Lanes.AppendProperties;
import dev.agentsessions.postgres.Placement;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactHistory;
import dev.agentsessions.postgres.session.SessionDetailsWriter;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.state.StateSizeLimit;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.artifact.RestoredArtifacts;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.state.StateScope;

/**
 * Appends events, in a group with other appends where that is possible. Looks for a
 * reason only if an append stored nothing.
 */
@Component
class Appender implements EventService.Store {

	/**
	 * Another writer may change the session between an attempt and the look-up of the
	 * reason for its failure. Then the append is tried again, at most this number of
	 * times.
	 */
	private static final int MAX_ATTEMPTS = 10;

	private final AppendProperties properties;

	private final Placement placement;

	private final SessionKeys keys;

	private final Transactions transactions;

	private final GroupCommit groups;

	private final BatchAppender batches;

	private final ArtifactHistory artifacts;

	private final AppendStatement statement;

	private final SessionDetailsWriter detailsWriter;

	private final AppendDiagnosis diagnosis;

	private final StateSizeLimit stateLimit;

	private final AppendMetrics metrics;

	private final ResponseHeap memory;

	Appender(AppendProperties properties, Placement placement, SessionKeys keys, Transactions transactions,
			GroupCommit groups, BatchAppender batches, ArtifactHistory artifacts, AppendStatement statement,
			SessionDetailsWriter detailsWriter, AppendDiagnosis diagnosis, StateSizeLimit stateLimit,
			AppendMetrics metrics, ResponseHeap memory) {
		this.memory = memory;
		this.properties = properties;
		this.placement = placement;
		this.keys = keys;
		this.transactions = transactions;
		this.groups = groups;
		this.batches = batches;
		this.artifacts = artifacts;
		this.statement = statement;
		this.detailsWriter = detailsWriter;
		this.diagnosis = diagnosis;
		this.stateLimit = stateLimit;
		this.metrics = metrics;
	}

	@Override
	public AppendResult append(SessionName session, AppendRequest request) {
		return this.keys.with(session, (key) -> append(new QueuedAppend(session, key, request)));
	}

	@Override
	public BatchAppendResult appendAll(SessionName session, List<NewEvent> events, Precondition precondition) {
		return this.batches.append(session, events, precondition);
	}

	@Override
	public Optional<AppendResult> appendRestoring(SessionName session, AppendRequest request,
			RestoredArtifacts artifacts) {
		return this.keys.with(session, (key) -> appendRestoring(new QueuedAppend(session, key, request), artifacts));
	}

	private AppendResult append(QueuedAppend append) {
		Map<UUID, StateScope> due = this.stateLimit.count(append.changes());
		if (!due.isEmpty() || !isGroupable(append)) {
			return appendAlone(append, due);
		}
		Optional<AppendResult> stored = this.groups.append(append);
		stored.ifPresent((result) -> this.memory.written());
		return stored.or(() -> replay(append)).orElseGet(() -> appendAlone(append, due));
	}

	/**
	 * Whether an append can share a statement. A large append is stored alone, so that it
	 * does not delay others.
	 */
	private boolean isGroupable(QueuedAppend append) {
		AppendRequest request = append.request();
		return append.appliesTo() && this.placement.changesSessionsTogether()
				&& request.details().equals(SessionDetails.NONE)
				&& request.event().body().length() < this.properties.largeEvent().toBytes();
	}

	private AppendResult appendAlone(QueuedAppend append, Map<UUID, StateScope> due) {
		for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			Optional<AppendResult> result = store(append, due).or(() -> replay(append));
			if (result.isPresent()) {
				return result.get();
			}
		}
		throw new SessionException.Unavailable(new ConcurrencyFailureException(
				"Other writers changed the session during each of " + MAX_ATTEMPTS + " attempts"));
	}

	private Optional<AppendResult> replay(QueuedAppend append) {
		this.diagnosis.takeMemory(append);
		return this.transactions.read(() -> this.diagnosis.diagnose(append)).map((stored) -> {
			append.event().checkIsSameAs(stored.event());
			this.transactions.confirmReads();
			this.metrics.replayed(1);
			return AppendResult.replayed(stored.event(), stored.version());
		});
	}

	private Optional<AppendResult> store(QueuedAppend append, Map<UUID, StateScope> due) {
		if (!append.appliesTo()) {
			return Optional.empty();
		}
		List<QueuedAppend> alone = List.of(append);
		boolean single = due.isEmpty() && append.request().details().equals(SessionDetails.NONE);
		try {
			Optional<AppendResult> stored = this.transactions
				.serialize(append.sessionKey(),
						() -> single ? this.statement.executeAlone(alone)
								: this.transactions.once(() -> executeAndCheck(alone, due)))
				.get(0);
			this.metrics.added(stored.isPresent() ? 1 : 0);
			return stored;
		}
		catch (DuplicateKeyException ex) {
			return Optional.empty();
		}
	}

	private List<Optional<AppendResult>> executeAndCheck(List<QueuedAppend> alone, Map<UUID, StateScope> due) {
		List<Optional<AppendResult>> stored = this.statement.execute(alone);
		if (stored.get(0).isPresent()) {
			this.stateLimit.check(due);
			updateDetails(alone.get(0).sessionKey(), alone.get(0).request().details());
		}
		return stored;
	}

	private void updateDetails(UUID sessionKey, SessionDetails details) {
		if (!details.equals(SessionDetails.NONE)) {
			this.detailsWriter.updateDetails(sessionKey, details, Precondition.NONE);
		}
	}

	/**
	 * Appends the event of a rewind and saves the versions of artifacts that it names, in
	 * one transaction.
	 */
	private Optional<AppendResult> appendRestoring(QueuedAppend append, RestoredArtifacts artifacts) {
		if (!append.appliesTo()) {
			return Optional.empty();
		}
		Map<UUID, StateScope> due = this.stateLimit.count(append.changes());
		try {
			AppendResult result = this.transactions.write(append.sessionKey(), () -> {
				AppendResult stored = this.statement.execute(List.of(append))
					.get(0)
					.orElseThrow(AnotherWriterCameFirst::new);
				this.stateLimit.check(due);
				restore(append, artifacts, stored.version().revision() - 1);
				return stored;
			});
			this.metrics.added(1);
			return Optional.of(result);
		}
		catch (AnotherWriterCameFirst ex) {
			return Optional.empty();
		}
		catch (DuplicateKeyException ex) {
			throw new SessionException.EventIdConflict(append.event().id());
		}
	}

	private void restore(QueuedAppend append, RestoredArtifacts artifacts, long revisionBefore) {
		UUID userKey = ScopeKey.of(append.session().user());
		if (!this.artifacts.restore(userKey, append.sessionKey(), artifacts, revisionBefore)) {
			throw new AnotherWriterCameFirst();
		}
	}

	/** Ends the transaction without a commit. */
	private static final class AnotherWriterCameFirst extends RuntimeException {

		private AnotherWriterCameFirst() {
			super("Another writer came first", null, false, false);
		}

	}

}
