package dev.agentsessions.session.event;

import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.Timestamps;

/**
 * The point in the history of a session right after an event, from which a list or a
 * watch goes on. The time tells the event from another one that has its number after a
 * restore, or after a failover that has lost it.
 *
 * @param sessionKey the key of the session
 * @param seq the seq of the event; 0 before the first one
 * @param commitTime when the event was stored; {@code null} if only the seq is known
 */
public record EventPoint(UUID sessionKey, long seq, @Nullable Instant commitTime) {

	private static final Pattern TEXT = Pattern.compile("(0|[1-9]\\d{0,17})(?:\\.(-?\\d{1,18}))?");

	public EventPoint {
		commitTime = (seq > 0) ? commitTime : null;
	}

	/** Returns the point right after an event of a session. */
	public static EventPoint after(UUID sessionKey, Event event) {
		return new EventPoint(sessionKey, event.seq(), event.commitTime());
	}

	/**
	 * Returns the point right after an event of which only the seq may be known, in a
	 * session of this version.
	 */
	public static EventPoint of(SessionVersion version, long seq) {
		return new EventPoint(version.sessionKey(), seq, (seq == version.revision()) ? version.lastUpdateTime() : null);
	}

	/**
	 * Reads the result of {@link #text}, or a seq alone.
	 * @param name the name of the parameter
	 * @throws SessionException.InvalidArgument if it is neither
	 */
	public static EventPoint parse(String name, UUID sessionKey, String text) {
		Matcher parts = TEXT.matcher(text);
		InvalidArgument.check(parts.matches(), name, "must be the id of a message, or the seq of an event");
		Instant time = (parts.group(2) != null) ? Timestamps.ofEpochMicros(Long.parseLong(parts.group(2))) : null;
		InvalidArgument.check(time == null || Timestamps.isValid(time), name,
				"must be the id of a message, or the seq of an event");
		return new EventPoint(sessionKey, Long.parseLong(parts.group(1)), time);
	}

	/** Returns the text of the point right after an event, as {@link #text}. */
	public static String textOf(Event event) {
		return event.seq() + "." + Timestamps.toEpochMicros(event.commitTime());
	}

	/** Returns the seq, and the time in microseconds since 1970 if it is known. */
	public String text() {
		return (this.commitTime != null) ? this.seq + "." + Timestamps.toEpochMicros(this.commitTime)
				: Long.toString(this.seq);
	}

	/**
	 * Returns whether it is the newest point of a session of this version, as far as it
	 * is known.
	 */
	public boolean isNewestOf(SessionVersion version) {
		return this.seq == version.revision()
				&& (this.commitTime == null || this.commitTime.equals(version.lastUpdateTime()));
	}

}
