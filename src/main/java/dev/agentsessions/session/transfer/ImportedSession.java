package dev.agentsessions.session.transfer;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.ForkedFrom;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/**
 * A session as it was elsewhere, apart from its events and its state.
 *
 * @param key what names it here
 * @param revision the number of its events
 * @param createTime when it was created there, in microseconds
 * @param detailsRevision how often its details were changed there
 * @param lastUpdateTime when its newest event was stored there, in microseconds
 * @param details its display name, labels and expiry
 * @param forkedFrom the session whose copy it began as; {@code null} for none
 */
public record ImportedSession(SessionKey key, long revision, Instant createTime, int detailsRevision,
		Instant lastUpdateTime, SessionDetails details, @Nullable ForkedFrom forkedFrom) {

	/** How far ahead the clock of another store may be. */
	private static final Duration CLOCK_SKEW = Duration.ofDays(1);

	public ImportedSession {
		createTime = createTime.truncatedTo(ChronoUnit.MICROS);
		lastUpdateTime = lastUpdateTime.truncatedTo(ChronoUnit.MICROS);
		if (revision < 0 || detailsRevision < 0) {
			throw new SessionException.InvalidArgument((revision < 0) ? "revision" : "detailsRevision",
					"must not be negative");
		}
		if (lastUpdateTime.isBefore(createTime)) {
			throw new SessionException.InvalidArgument("lastUpdateTime", "must not lie before createTime");
		}
	}

	/**
	 * Checks its times.
	 * @param now the time of the store
	 * @throws SessionException.InvalidArgument if it has expired, or was changed in the
	 * future
	 */
	void checkTimes(Instant now) {
		Instant end = this.details.expireTime();
		if (end != null && !end.isAfter(now)) {
			throw new SessionException.InvalidArgument("expireTime", "must lie in the future: the session has expired");
		}
		if (this.lastUpdateTime.isAfter(now.plus(CLOCK_SKEW))) {
			throw new SessionException.InvalidArgument("lastUpdateTime", "must not lie more than a day ahead");
		}
	}

}
