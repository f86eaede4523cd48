package dev.agentsessions.postgres.event;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactHistory;
import dev.agentsessions.postgres.state.StateSizeLimit;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.artifact.RestoredArtifacts;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.state.StateScope;

/**
 * Appends the event of a rewind and saves the versions of artifacts that it names, in one
 * transaction.
 */
@Component
class RestoringAppender {

	private final Transactions transactions;

	private final AppendStatement statement;

	private final ArtifactHistory artifacts;

	private final StateSizeLimit stateLimit;

	private final AppendMetrics metrics;

	RestoringAppender(Transactions transactions, AppendStatement statement, ArtifactHistory artifacts,
			StateSizeLimit stateLimit, AppendMetrics metrics) {
		this.transactions = transactions;
		this.statement = statement;
		this.artifacts = artifacts;
		this.stateLimit = stateLimit;
		this.metrics = metrics;
	}

	/**
	 * Appends, as
	 * {@link dev.agentsessions.session.event.EventService.Store#appendRestoring}.
	 */
	Optional<AppendResult> append(QueuedAppend append, RestoredArtifacts restored) {
		if (!append.appliesTo()) {
			return Optional.empty();
		}
		UUID userKey = ScopeKey.of(append.session().user());
		Map<UUID, StateScope> due = this.stateLimit.count(append.changes());
		try {
			AppendResult result = this.transactions.write(append.sessionKey(), () -> {
				AppendResult stored = this.statement.execute(List.of(append))
					.get(0)
					.orElseThrow(AnotherWriterCameFirst::new);
				this.stateLimit.check(due);
				long before = stored.version().revision() - 1;
				if (!this.artifacts.restore(userKey, append.sessionKey(), restored, before)) {
					throw new AnotherWriterCameFirst();
				}
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

	/** Ends the transaction without a commit. */
	private static final class AnotherWriterCameFirst extends RuntimeException {

		private AnotherWriterCameFirst() {
			super("Another writer came first", null, false, false);
		}

	}

}
