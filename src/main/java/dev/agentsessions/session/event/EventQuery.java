package dev.agentsessions.session.event;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.Timestamps;

/**
 * Which events of a session to list. The order is always that of seq.
 *
 * @param birth only those of this session, and of none that has taken its place;
 * {@code null} for whichever is there
 * @param newestFirst newest first instead of oldest first
 * @param afterSeq only events after this seq
 * @param beforeSeq only events before this seq
 * @param since only those stamped at this microsecond or later; {@code null} for all
 * @param author only those of this author; {@code null} for all
 * @param invocationId only those of this invocation; {@code null} for all
 * @param limit at most so many
 * @param view of how much of the history
 */
public record EventQuery(@Nullable UUID birth, boolean newestFirst, long afterSeq, long beforeSeq,
		@Nullable Instant since, @Nullable String author, @Nullable String invocationId, int limit, HistoryView view) {

	public EventQuery {
		since = Timestamps.toMicroseconds(since);
	}

	/** A query of the full history. */
	public EventQuery(@Nullable UUID birth, boolean newestFirst, long afterSeq, long beforeSeq, @Nullable Instant since,
			@Nullable String author, @Nullable String invocationId, int limit) {
		this(birth, newestFirst, afterSeq, beforeSeq, since, author, invocationId, limit, HistoryView.FULL);
	}

	/** A query of the full history of whichever session is there. */
	public EventQuery(boolean newestFirst, long afterSeq, long beforeSeq, @Nullable Instant since,
			@Nullable String author, @Nullable String invocationId, int limit) {
		this(null, newestFirst, afterSeq, beforeSeq, since, author, invocationId, limit);
	}

	/** This query of one session, whatever has taken its place. */
	public EventQuery ofSession(UUID session) {
		return new EventQuery(session, this.newestFirst, this.afterSeq, this.beforeSeq, this.since, this.author,
				this.invocationId, this.limit, this.view);
	}

	/** This query of more or less of the history. */
	public EventQuery of(HistoryView other) {
		return new EventQuery(this.birth, this.newestFirst, this.afterSeq, this.beforeSeq, this.since, this.author,
				this.invocationId, this.limit, other);
	}

	/** This query for the page that begins behind an event. */
	public EventQuery behind(long seq) {
		return new EventQuery(this.birth, this.newestFirst,
				this.newestFirst ? this.afterSeq : Math.max(seq, this.afterSeq),
				this.newestFirst ? Math.min(seq, this.beforeSeq) : this.beforeSeq, this.since, this.author,
				this.invocationId, this.limit, this.view);
	}

	/** This query, or that for a smaller page if this one is larger. */
	EventQuery atMost(int size) {
		return (this.limit <= size) ? this : new EventQuery(this.birth, this.newestFirst, this.afterSeq, this.beforeSeq,
				this.since, this.author, this.invocationId, size, this.view);
	}

}
