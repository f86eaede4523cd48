package dev.agentsessions.session;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

import dev.agentsessions.json.JsonText;

/**
 * The answer to an append of many events.
 *
 * @param events the events as stored, and partial ones as sent, in the order sent
 * @param version the version of the session right after the last of them
 * @param lastUpdateTime the last update time right after the last of them
 * @param replayed whether all of them were stored by an earlier append
 */
public record BatchAppendResult(List<JsonText> events, SessionVersion version, Instant lastUpdateTime,
		boolean replayed) {

	/**
	 * The answer to events that are stored, in the order sent.
	 * @param events the answer to each of them
	 */
	public static BatchAppendResult of(List<AppendResult> events) {
		AppendResult last = Collections.max(events, Comparator.comparing((event) -> event.version().revision()));
		return new BatchAppendResult(events.stream().map(AppendResult::event).toList(), last.version(),
				last.lastUpdateTime(), events.stream().allMatch(AppendResult::replayed));
	}

	static BatchAppendResult notStored(List<NewEvent> partial, Session session) {
		return new BatchAppendResult(partial.stream().map(NewEvent::body).toList(), session.version(),
				session.lastUpdateTime(), false);
	}

	/** The same with the partial events among those that were sent. */
	BatchAppendResult withPartial(List<NewEvent> sent) {
		Iterator<JsonText> stored = this.events.iterator();
		return new BatchAppendResult(
				sent.stream().map((event) -> event.partial() ? event.body() : stored.next()).toList(), this.version,
				this.lastUpdateTime, this.replayed);
	}

}
