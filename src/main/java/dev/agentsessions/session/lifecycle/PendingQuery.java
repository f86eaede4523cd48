package dev.agentsessions.session.lifecycle;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;

/**
 * Which function calls that wait for an answer to list, oldest first.
 *
 * @param app the app
 * @param session of this session only, {@code null} for all of the app
 * @param after the position after which the page begins, {@code null} for the first page
 * @param limit the maximum number of calls
 */
public record PendingQuery(StateOwner app, @Nullable SessionKey session, @Page.Only @Nullable PendingPosition after,
		@Page.Only int limit) {

	/** Maximum number of calls of a page. */
	public static final int MAX_LIMIT = 1000;

	public PendingQuery {
		limit = Math.min(limit, MAX_LIMIT);
	}

	/** Returns this query for the page after a position. */
	public PendingQuery after(PendingPosition position) {
		return new PendingQuery(this.app, this.session, position, this.limit);
	}

	/**
	 * The position of a call in a list.
	 *
	 * @param since when its event was stored
	 * @param birth the birth of its session
	 * @param callKey its key
	 * @param seq the seq of its event
	 */
	public record PendingPosition(Instant since, UUID birth, String callKey, long seq) {

		/** Returns the position of a call. */
		public static PendingPosition of(PendingCall call) {
			return new PendingPosition(call.since(), call.birth(), call.callKey(), call.seq());
		}

	}

}
