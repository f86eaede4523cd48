package dev.agentsessions.session.event;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Timestamps;

/**
 * Which events of a session to list in the order of the time their senders gave them;
 * those of the same microsecond by seq.
 *
 * @param birth only those of this session, and of none that has taken its place;
 * {@code null} for whichever is there
 * @param newestFirst newest first instead of oldest first
 * @param from only those of this microsecond or later; {@code null} for all
 * @param until only those of this microsecond or earlier; {@code null} for all
 * @param behind the place behind which the page begins, {@code null} for the first page
 * @param limit at most so many
 */
public record TimelineQuery(@Nullable UUID birth, boolean newestFirst, @Nullable Instant from, @Nullable Instant until,
		@Nullable EventPlace behind, int limit) {

	public TimelineQuery {
		from = Timestamps.toMicroseconds(from);
		until = Timestamps.toMicroseconds(until);
	}

	/** A query of whichever session is there. */
	public TimelineQuery(boolean newestFirst, @Nullable Instant from, @Nullable Instant until,
			@Nullable EventPlace behind, int limit) {
		this(null, newestFirst, from, until, behind, limit);
	}

	/** This query of one session, whatever has taken its place. */
	public TimelineQuery ofSession(UUID session) {
		return new TimelineQuery(session, this.newestFirst, this.from, this.until, this.behind, this.limit);
	}

	/** This query for the page that begins behind a place. */
	public TimelineQuery behind(@Nullable EventPlace place) {
		return new TimelineQuery(this.birth, this.newestFirst, this.from, this.until, place, this.limit);
	}

	/** This query for a page of another size. */
	public TimelineQuery limit(int size) {
		return new TimelineQuery(this.birth, this.newestFirst, this.from, this.until, this.behind, size);
	}

	/** This query, or that for a smaller page if this one is larger. */
	TimelineQuery atMost(int size) {
		return (this.limit <= size) ? this : limit(size);
	}

	/**
	 * The place of an event.
	 *
	 * @param time its own time, in microseconds
	 * @param seq its seq
	 */
	public record EventPlace(Instant time, long seq) {

		public EventPlace {
			time = time.truncatedTo(ChronoUnit.MICROS);
		}

	}

}
