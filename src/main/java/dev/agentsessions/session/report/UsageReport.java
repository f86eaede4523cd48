package dev.agentsessions.session.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.report.UsageQuery.UsagePosition;
import dev.agentsessions.session.report.UsageService.Store.SpentEvent;

/**
 * What the events of a query have spent. The reports of several requests add up.
 *
 * @param total all of them
 * @param copied those that a fork has copied, a part of {@code total}
 * @param rows the same by turn, day, user or model
 * @param sessions the number of sessions that were looked at
 * @param next how far the report counts; {@code null} if it is complete
 * @param priced whether there are prices
 * @param slowest the turns that took longest, the slowest one first
 * @param models how long models took, if the query asks for it
 * @param tools the same of tools
 */
public record UsageReport(Usage total, Usage copied, List<UsageRow> rows, long sessions, @Nullable UsagePosition next,
		boolean priced, List<TimedTurn> slowest, List<Timing> models, List<Timing> tools) {

	/** Returns whether all events are counted. */
	public boolean isComplete() {
		return this.next == null;
	}

	/**
	 * A turn, a day, a user or a model, and what it has spent.
	 *
	 * @param name the id of the invocation, the day, the user or the model; blank for
	 * events without one
	 * @param seq the seq of its first event
	 * @param start the time of its first event
	 * @param sessions the number of sessions with one of its events
	 * @param usage what it has spent
	 */
	public record UsageRow(String name, long seq, Instant start, long sessions, Usage usage) {

	}

	/**
	 * How often a model or a tool was called, and how long it took.
	 *
	 * @param name its name; blank for models that the senders do not name
	 * @param calls the number of calls
	 * @param failed the number of calls that failed
	 * @param half half of the calls took this long at most; {@code null} if no call was
	 * measured
	 * @param most 95 of 100 calls took this long at most; {@code null} if no call was
	 * measured
	 */
	public record Timing(String name, long calls, long failed, @Nullable Duration half, @Nullable Duration most) {

	}

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

		static TimedTurn of(SpentEvent event) {
			return new TimedTurn(event.userId(), event.sessionId(), event.seq(), event.time(), event.time(),
					Duration.ZERO, event.failed());
		}

		/** Returns this turn with its next event. */
		TimedTurn with(SpentEvent event) {
			Instant time = event.time();
			boolean waits = event.author().equals(EventFields.USER) && time.isAfter(this.last);
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

}
