package dev.agentsessions.postgres.usage;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.usage.UsagePosition;
import dev.agentsessions.session.usage.UsageQuery;

/**
 * A session whose events are counted.
 *
 * @param key its key
 * @param userId its user
 * @param id its id
 * @param revision the seq of its newest event
 * @param copied the seq of the last event that a fork has copied; 0 for none
 * @param lastUpdateTime when its newest event was stored
 */
record SpendingSession(UUID key, String userId, String id, long revision, long copied, Instant lastUpdateTime) {

	/** Returns the events to count after a position, which may be in another session. */
	EventSlice slice(UsageQuery query, @Nullable UsagePosition position) {
		long begin = (query.sessionId() != null) ? 0 : this.copied;
		if (position == null || !position.birth().equals(this.key)) {
			return new EventSlice(this, begin, this.revision);
		}
		return new EventSlice(this, Math.max(begin, position.seq()), this.revision);
	}

}
