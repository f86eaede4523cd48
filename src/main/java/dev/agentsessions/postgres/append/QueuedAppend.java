package dev.agentsessions.postgres.append;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.postgres.event.SequencedEvent;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.NewEvent;

/**
 * An append on its way into the database, alone or with others.
 *
 * @param session what names the session
 * @param sessionKey the key of the session's row
 * @param request what is to be done
 * @param changes the rows of state that the event changes
 * @param sinceNanoTime since when it waits for its turn
 * @param stored the answer once it is stored, empty if it was not and has to be tried
 * alone
 */
public record QueuedAppend(SessionKey session, UUID sessionKey, AppendRequest request, List<StateRow> changes,
		long sinceNanoTime, CompletableFuture<Optional<AppendResult>> stored) {

	/** What it needs in memory besides its texts, about, in bytes. */
	private static final int OVERHEAD = 2048;

	public QueuedAppend(SessionKey session, UUID sessionKey, AppendRequest request) {
		this(session, sessionKey, request, StateRow.of(session, sessionKey, request.event().delta()), System.nanoTime(),
				new CompletableFuture<>());
	}

	public NewEvent event() {
		return this.request.event();
	}

	Precondition precondition() {
		return this.request.precondition();
	}

	/** Whether this session is meant, and none that it has taken the place of. */
	boolean isMeant() {
		return precondition().isMeant(this.sessionKey);
	}

	/** The changes of keys that other sessions have, too. */
	List<StateRow> sharedChanges() {
		return this.changes.stream().filter(StateRow::isShared).toList();
	}

	/**
	 * Whether further statements follow the one that stores the event: for keys that are
	 * removed, and for what it means beside the state.
	 */
	boolean needsTransaction() {
		return !event().marks().isEmpty() || this.changes.stream().anyMatch(StateRow::isRemoval);
	}

	/** The rows that it may have to wait for: those that others write, too. */
	Stream<RowKey> rows() {
		return Stream.concat(Stream.of(RowKey.ofSession(this.sessionKey)),
				sharedChanges().stream().map((row) -> new RowKey(row.scopeKey(), row.key())));
	}

	/** About how many bytes it needs in memory, not counting copies. */
	public long bytes() {
		return OVERHEAD + event().body().text().length() + this.changes.stream().mapToLong(StateRow::bytes).sum();
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

	/** The event with the seq and the time that it was stored with. */
	SequencedEvent sequenced(AppendResult stored) {
		return new SequencedEvent(stored.version().revision(), stored.lastUpdateTime(), event());
	}

}
