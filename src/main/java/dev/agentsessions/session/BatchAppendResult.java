package dev.agentsessions.session;

import java.time.Instant;
import java.util.ArrayList;
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

	static BatchAppendResult stored(List<NewEvent> sent, AppendOutcome.BatchStored outcome) {
		Iterator<Event> stored = outcome.events().iterator();
		List<JsonText> answered = new ArrayList<>();
		for (NewEvent event : sent) {
			answered.add(event.partial() ? event.body() : stored.next().body());
		}
		Event last = outcome.events().stream().max(Comparator.comparing(Event::seq)).orElseThrow();
		return new BatchAppendResult(answered, outcome.version(), last.commitTime(), outcome.replayed());
	}

	static BatchAppendResult notStored(List<NewEvent> partial, Session session) {
		return new BatchAppendResult(partial.stream().map(NewEvent::body).toList(), session.version(),
				session.lastUpdateTime(), false);
	}

}
