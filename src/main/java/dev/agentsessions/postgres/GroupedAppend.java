package dev.agentsessions.postgres;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.agentsessions.postgres.StateChanges.Row;
import dev.agentsessions.session.AppendRequest;
import dev.agentsessions.session.AppendResult;
import dev.agentsessions.session.NewEvent;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/**
 * An append as one of many in a group.
 *
 * @param sessionKey the key of the session's row
 * @param event the event
 * @param precondition what has to hold before the group
 * @param changes the rows of state that the event changes
 * @param sinceNanoTime since when it waits for its turn
 * @param stored the event as stored, empty if it was not and has to be tried alone
 */
record GroupedAppend(UUID sessionKey, NewEvent event, Precondition precondition, List<Row> changes, long sinceNanoTime,
		CompletableFuture<Optional<AppendResult>> stored) {

	/** What it needs in memory besides its texts, about, in bytes. */
	private static final int OVERHEAD = 2048;

	GroupedAppend(SessionKey key, AppendRequest append) {
		this(ScopeKey.of(key), append.event(), append.precondition(), StateChanges.all(key, append.event().delta()),
				System.nanoTime(), new CompletableFuture<>());
	}

	/** Whether it removes keys, for which a group needs a second statement. */
	boolean removesKeys() {
		return this.changes.stream().anyMatch(Row::isRemoval);
	}

	/** The rows that it may have to wait for: those that others write, too. */
	Stream<RowId> rows() {
		Stream<RowId> shared = this.changes.stream()
			.filter((row) -> !row.scopeKey().equals(this.sessionKey))
			.map((row) -> new RowId(row.scopeKey(), row.key()));
		return Stream.concat(Stream.of(RowId.ofSession(this.sessionKey)), shared);
	}

	/** About how many bytes it needs in memory, not counting copies. */
	long bytes() {
		return OVERHEAD + this.event.body().text().length() + this.changes.stream().mapToLong(Row::bytes).sum();
	}

	/**
	 * Whether nobody waits for it any more.
	 * @param reason what it is answered if it has waited for too long
	 */
	boolean isOver(DatabaseTimeouts timeouts, String reason) {
		if (timeouts.isOver(this.sinceNanoTime)) {
			fail(new SessionException.Unavailable(reason));
		}
		return this.stored.isDone();
	}

	/** Answers that it has to be tried alone. */
	void leaveAlone() {
		this.stored.complete(Optional.empty());
	}

	void fail(SessionException.Unavailable failure) {
		this.stored.completeExceptionally(failure);
	}

}
