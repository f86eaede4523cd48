package dev.agentsessions.adk;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.EventWindow;

/**
 * The query parameters of a read of a session. The first three and the view compose: of
 * the events that the view leaves, those that are young enough and not before a seq, and
 * of these the newest.
 *
 * @param numRecentEvents at most this number of events, the newest; 0 for none
 * @param afterTimestamp only events stamped at this time or later
 * @param fromSeq only this event and later ones, from 1
 * @param view {@code full}, the default, or {@code context}: only what a model sees
 * @param atSeq the session as it was right after this event; as it is if absent
 * @param parts {@code full}, the default, or {@code light}: without large data
 * @param includeRevision {@code true} adds the revision and the entity tag
 * @param seqs {@code true} adds the seqs of the events
 */
record SessionParameters(@Nullable Integer numRecentEvents, @Nullable String afterTimestamp, @Nullable Long fromSeq,
		@Nullable String view, @Nullable Long atSeq, @Nullable String parts, @Nullable Boolean includeRevision,
		@Nullable Boolean seqs) {

	/** Which events to read. */
	EventWindow window() {
		return QueryParameters.window(this.numRecentEvents, this.afterTimestamp, this.view, this.fromSeq);
	}

}
