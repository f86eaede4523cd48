package dev.agentsessions.session.event;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.Timestamps;

/**
 * Which events of a session to list. The order is always that of seq.
 *
 * @param birth only events of the session with this birth; {@code null} for the session
 * that has the key now
 * @param newestFirst newest first instead of oldest first
 * @param afterSeq only events after this seq
 * @param beforeSeq only events before this seq
 * @param since only events with a timestamp at this microsecond or later; {@code null}
 * for all
 * @param author only events of this author; {@code null} for all
 * @param invocationId only events of this invocation; {@code null} for all
 * @param limit the maximum number of events
 * @param view how much of the history to read
 */
public record EventQuery(@Nullable UUID birth, boolean newestFirst, long afterSeq, long beforeSeq,
		@Nullable Instant since, @Nullable String author, @Nullable String invocationId, int limit, HistoryView view) {

	public EventQuery {
		since = Timestamps.toMicroseconds(since);
	}

	/** Creates a query of the full history. */
	public EventQuery(@Nullable UUID birth, boolean newestFirst, long afterSeq, long beforeSeq, @Nullable Instant since,
			@Nullable String author, @Nullable String invocationId, int limit) {
		this(birth, newestFirst, afterSeq, beforeSeq, since, author, invocationId, limit, HistoryView.FULL);
	}

	/** Creates a query of the full history of the session that has the key now. */
	public EventQuery(boolean newestFirst, long afterSeq, long beforeSeq, @Nullable Instant since,
			@Nullable String author, @Nullable String invocationId, int limit) {
		this(null, newestFirst, afterSeq, beforeSeq, since, author, invocationId, limit);
	}

	/** Returns this query for the session with this birth only. */
	public EventQuery ofSession(UUID session) {
		return new EventQuery(session, this.newestFirst, this.afterSeq, this.beforeSeq, this.since, this.author,
				this.invocationId, this.limit, this.view);
	}

	/** Returns this query with another view. */
	public EventQuery of(HistoryView other) {
		return new EventQuery(this.birth, this.newestFirst, this.afterSeq, this.beforeSeq, this.since, this.author,
				this.invocationId, this.limit, other);
	}

	/** Returns this query for the page after an event. */
	public EventQuery behind(long seq) {
		return new EventQuery(this.birth, this.newestFirst,
				this.newestFirst ? this.afterSeq : Math.max(seq, this.afterSeq),
				this.newestFirst ? Math.min(seq, this.beforeSeq) : this.beforeSeq, this.since, this.author,
				this.invocationId, this.limit, this.view);
	}

	/** Returns this query, with a smaller limit if its limit is greater. */
	EventQuery atMost(int size) {
		return (this.limit <= size) ? this : new EventQuery(this.birth, this.newestFirst, this.afterSeq, this.beforeSeq,
				this.since, this.author, this.invocationId, size, this.view);
	}

}
