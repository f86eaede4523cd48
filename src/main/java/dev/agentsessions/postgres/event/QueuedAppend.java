package dev.agentsessions.postgres.event;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import dev.agentsessions.postgres.Waiting;
import dev.agentsessions.postgres.event.LockedRowsStatement.RowKey;
import dev.agentsessions.postgres.session.SequencedEvent;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;

/**
 * An append that waits for the database, alone or in a group.
 *
 * @param session the names of the session
 * @param sessionKey the key of the session's row
 * @param request the event and its precondition
 * @param changes the rows of state that the event changes
 * @param stored completes with the stored event, or empty if it was not stored and has to
 * be tried alone
 */
public record QueuedAppend(SessionName session, UUID sessionKey, AppendRequest request, List<StateRow> changes,
		Waiting<Optional<AppendResult>> stored) {

	/** About how much memory an append needs besides its texts, in bytes. */
	private static final int OVERHEAD_BYTES = 2048;

	public QueuedAppend(SessionName session, UUID sessionKey, AppendRequest request) {
		this(session, sessionKey, request, StateRow.of(session, sessionKey, request.event().delta()), new Waiting<>());
	}

	public NewEvent event() {
		return this.request.event();
	}

	/** What has to hold of the session. */
	public Precondition precondition() {
		return this.request.precondition();
	}

	/**
	 * Whether the precondition is about this session, and not about an earlier one of the
	 * same name.
	 */
	boolean appliesTo() {
		return precondition().appliesTo(this.sessionKey);
	}

	/**
	 * Whether further statements follow the one that stores the event: for keys that are
	 * removed, and for the marks of the event.
	 */
	boolean needsTransaction() {
		return !event().marks().isEmpty() || this.changes.stream().anyMatch(StateRow::isRemoval);
	}

	/**
	 * Returns the rows that it may have to wait for, because other writers change them
	 * too.
	 */
	Stream<RowKey> rows() {
		return Stream.concat(Stream.of(RowKey.ofSession(this.sessionKey)),
				this.changes.stream().filter(StateRow::isShared).map((row) -> new RowKey(row.scopeKey(), row.key())));
	}

	/** Returns about how much memory it needs, in bytes, not counting copies. */
	public long bytes() {
		return OVERHEAD_BYTES + event().body().length() + this.changes.stream().mapToLong(StateRow::bytes).sum();
	}

	/** Completes it without a stored event, so that the caller tries it alone. */
	void retryAlone() {
		this.stored.complete(Optional.empty());
	}

	void fail(SessionException.Unavailable failure) {
		this.stored.completeExceptionally(failure);
	}

	/** Returns the event with the seq and the time that it was stored with. */
	public SequencedEvent sequenced(AppendResult stored) {
		return new SequencedEvent(stored.version().revision(), stored.lastUpdateTime(), event());
	}

}
