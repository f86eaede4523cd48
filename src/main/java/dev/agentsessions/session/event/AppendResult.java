package dev.agentsessions.session.event;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;

/**
 * The result of an append.
 *
 * @param event the event as stored, or as sent if it was not stored
 * @param version the version of the session right after the event
 * @param persisted whether it is stored
 * @param replayed whether an earlier append stored it
 */
public record AppendResult(JsonText event, SessionVersion version, boolean persisted, boolean replayed) {

	/**
	 * Returns the result for an event that has just been stored.
	 * @param version the version of the session right after it
	 */
	public static AppendResult stored(NewEvent event, SessionVersion version) {
		return new AppendResult(event.body(), version, true, false);
	}

	/**
	 * Returns the result for an event that an earlier append stored.
	 * @param session the current version of the session
	 */
	public static AppendResult replayed(Event stored, SessionVersion session) {
		return new AppendResult(stored.body(), session.at(stored.seq(), stored.commitTime()), true, true);
	}

	static AppendResult notStored(NewEvent event, Session session) {
		return new AppendResult(event.body(), session.version(), false, false);
	}

	/** Returns the last update time of the session right after the event. */
	public Instant lastUpdateTime() {
		return this.version.lastUpdateTime();
	}

	/**
	 * The result of an append of several events.
	 *
	 * @param events the events as stored, and partial ones as sent, in the order sent
	 * @param seqs the seq of each of them, {@code null} for a partial one
	 * @param version the version of the session right after the last of them
	 * @param replayed whether an earlier append stored all of them
	 */
	public record BatchAppendResult(List<JsonText> events, List<@Nullable Long> seqs, SessionVersion version,
			boolean replayed) {

		/**
		 * Returns the result for stored events, in the order sent.
		 * @param events the result for each of them
		 */
		public static BatchAppendResult of(List<AppendResult> events) {
			AppendResult last = Collections.max(events, Comparator.comparing((event) -> event.version().revision()));
			return new BatchAppendResult(events.stream().map(AppendResult::event).toList(),
					events.stream().<@Nullable Long>map((event) -> event.version().revision()).toList(), last.version(),
					events.stream().allMatch(AppendResult::replayed));
		}

		static BatchAppendResult notStored(List<NewEvent> partial, Session session) {
			return new BatchAppendResult(partial.stream().map(NewEvent::body).toList(),
					Collections.nCopies(partial.size(), null), session.version(), false);
		}

		/** Returns the last update time of the session right after the last of them. */
		public Instant lastUpdateTime() {
			return this.version.lastUpdateTime();
		}

		/** Returns this result with the partial events where they were sent. */
		BatchAppendResult withPartial(List<NewEvent> sent) {
			return new BatchAppendResult(withPartial(sent, this.events, NewEvent::body),
					withPartial(sent, this.seqs, (event) -> null), this.version, this.replayed);
		}

		private static <T extends @Nullable Object> List<T> withPartial(List<NewEvent> sent, List<T> stored,
				Function<NewEvent, T> partial) {
			Iterator<T> next = stored.iterator();
			List<T> all = new ArrayList<>();
			sent.forEach((event) -> all.add(event.partial() ? partial.apply(event) : next.next()));
			return all;
		}

	}

}
