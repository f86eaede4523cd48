package dev.agentsessions.session.transfer;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.NewEvent;

/**
 * A session from another store, without its events and its state.
 *
 * @param name its name in this store
 * @param revision the number of its events
 * @param createTime when it was created there, in microseconds
 * @param detailsRevision the number of changes of its details there
 * @param lastUpdateTime when its newest event was stored there, in microseconds
 * @param details its display name, labels and expiry
 * @param forkedFrom the session of which it began as a copy; {@code null} for none
 */
public record ImportedSession(SessionName name, long revision, Instant createTime, int detailsRevision,
		Instant lastUpdateTime, SessionDetails details, @Nullable ForkedFrom forkedFrom) {

	/** How far the clock of another store may be ahead. */
	private static final Duration MAX_CLOCK_SKEW = Duration.ofDays(1);

	public ImportedSession {
		createTime = createTime.truncatedTo(ChronoUnit.MICROS);
		lastUpdateTime = lastUpdateTime.truncatedTo(ChronoUnit.MICROS);
		if (revision < 0 || detailsRevision < 0) {
			throw new SessionException.InvalidArgument((revision < 0) ? "revision" : "detailsRevision",
					"must not be negative");
		}
		if (lastUpdateTime.isBefore(createTime)) {
			throw new SessionException.InvalidArgument("lastUpdateTime", "must not be before createTime");
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
			throw new SessionException.InvalidArgument("expireTime", "must be in the future: the session has expired");
		}
		if (this.lastUpdateTime.isAfter(now.plus(MAX_CLOCK_SKEW))) {
			throw new SessionException.InvalidArgument("lastUpdateTime", "must not be more than a day in the future");
		}
	}

	/**
	 * An event from another store.
	 *
	 * @param seq its seq
	 * @param commitTime when it was stored there, in microseconds
	 * @param event the event
	 */
	public record ImportedEvent(long seq, Instant commitTime, NewEvent event) {

		public ImportedEvent {
			commitTime = commitTime.truncatedTo(ChronoUnit.MICROS);
		}

		/** Returns the copy of the event for a session with another name. */
		ImportedEvent restored() {
			return new ImportedEvent(this.seq, this.commitTime, this.event.restored());
		}

	}

}
