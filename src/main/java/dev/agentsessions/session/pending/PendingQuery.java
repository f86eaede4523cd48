package dev.agentsessions.session.pending;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionKey;

/**
 * Which function calls that wait for an answer to list, the oldest first.
 *
 * @param appName the app
 * @param session of this session only, {@code null} for all of the app
 * @param behind the place behind which the page begins, {@code null} for the first page
 * @param limit at most so many
 */
public record PendingQuery(String appName, @Nullable SessionKey session, @Nullable PendingPosition behind, int limit) {

	/** So many at most make a page. */
	public static final int PAGE = 1000;

	public PendingQuery {
		Identifiers.check("appName", appName);
		limit = Math.min(limit, PAGE);
	}

	/** This query for the page that begins behind a place. */
	public PendingQuery behind(PendingPosition place) {
		return new PendingQuery(this.appName, this.session, place, this.limit);
	}

	/**
	 * The place of a call in a list.
	 *
	 * @param since since when it waits
	 * @param birth its session
	 * @param callId its id
	 * @param seq its event
	 */
	public record PendingPosition(Instant since, UUID birth, String callId, long seq) {

		/** The place of a call. */
		public static PendingPosition of(PendingCall call) {
			return new PendingPosition(call.since(), call.birth(), call.callId(), call.seq());
		}

	}

}
