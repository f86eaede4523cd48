package dev.agentsessions.session.report;

import java.time.Duration;
import java.time.Instant;

/**
 * The events of a turn that a report counts.
 *
 * @param userId the user of its session
 * @param sessionId the id of its session
 * @param seq the seq of the first event
 * @param first the earliest time
 * @param last the latest time
 * @param waited how long it waited for events of the user, such as answers to calls
 * @param failed whether one of the events reports an error
 */
public record TimedTurn(String userId, String sessionId, long seq, Instant first, Instant last, Duration waited,
		boolean failed) {

	private static final String USER = "user";

	static TimedTurn of(SpentEvent event) {
		return new TimedTurn(event.userId(), event.sessionId(), event.seq(), event.time(), event.time(), Duration.ZERO,
				event.failed());
	}

	/** Returns this turn with its next event. */
	TimedTurn with(SpentEvent event) {
		Instant time = event.time();
		boolean waits = event.author().equals(USER) && time.isAfter(this.last);
		return new TimedTurn(this.userId, this.sessionId, this.seq, time.isBefore(this.first) ? time : this.first,
				time.isAfter(this.last) ? time : this.last,
				waits ? this.waited.plus(Duration.between(this.last, time)) : this.waited,
				this.failed || event.failed());
	}

	Duration duration() {
		return Duration.between(this.first, this.last);
	}

	/** Returns how long it took without the waits for events of the user. */
	public Duration worked() {
		return duration().minus(this.waited);
	}

}
