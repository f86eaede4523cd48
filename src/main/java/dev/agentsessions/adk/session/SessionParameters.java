package dev.agentsessions.adk.session;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.EventWindow;

/**
 * The query parameters of the read of a session.
 *
 * @param numRecentEvents the maximum number of events, the newest ones
 * @param afterTimestamp only events with this timestamp or a later one
 * @param fromSeq only events with this seq or a greater one
 * @param view {@code full}, the default, or {@code context}: only events that a model
 * sees
 * @param atSeq the session as it was after the event with this seq
 * @param parts {@code full}, the default, or {@code light}: without large data
 * @param includeRevision whether the body has the revision
 * @param seqs whether the body has the seq of each event
 */
record SessionParameters(@Nullable Integer numRecentEvents, @Nullable String afterTimestamp, @Nullable Long fromSeq,
		@Nullable String view, @Nullable Long atSeq, @Nullable String parts, @Nullable Boolean includeRevision,
		@Nullable Boolean seqs) {

	EventWindow window() {
		return QueryParameters.window(this.numRecentEvents, this.afterTimestamp, this.view, this.fromSeq);
	}

}
