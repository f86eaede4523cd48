package dev.agentsessions.adk.event;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.SelectedEvents;

/**
 * The response to a request for events by id.
 *
 * @param events the events that exist, in the order of the requested ids; they are read
 * while they are written and can be iterated only once
 * @param seqs the seq of each event, complete when the events have been written
 * @param missing the requested ids for which the session has no event
 */
record SelectedEventList(Iterable<Event> events, Iterable<Long> seqs, List<String> missing) {

	private static final int MAX_IDS = 100;

	static SelectedEventList from(SelectedEvents selected, UnaryOperator<Event> mapper) {
		List<Long> seqs = new ArrayList<>();
		Iterator<Event> events = selected.events().map((event) -> {
			seqs.add(event.seq());
			return mapper.apply(event);
		}).iterator();
		return new SelectedEventList(() -> events, seqs, selected.missing());
	}

	/** Reads the ids from the body of a request. */
	static List<String> ids(JsonObject body) {
		List<String> ids = KnownFields.GET_EVENTS.read(body, "").required(KnownFields.IDS).strings(KnownFields.IDS);
		if (ids.isEmpty() || ids.size() > MAX_IDS) {
			throw new JsonException.InvalidShape(KnownFields.IDS, "must have 1 to " + MAX_IDS + " ids");
		}
		if (new HashSet<>(ids).size() < ids.size()) {
			throw new JsonException.InvalidShape(KnownFields.IDS, "must not have the same id twice");
		}
		return ids;
	}

}
