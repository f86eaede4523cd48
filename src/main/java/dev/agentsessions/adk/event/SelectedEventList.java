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
 * Events that were asked for by their ids.
 *
 * @param events those that are there, in the order in which they were asked for, read
 * while they are written: they can be gone through once
 * @param seqs the seq of each of them, known when the events are written
 * @param missing the ids of which the session has no event
 */
record SelectedEventList(Iterable<Event> events, Iterable<Long> seqs, List<String> missing) {

	/** How many events one request may ask for. */
	private static final int MAX_IDS = 100;

	static SelectedEventList from(SelectedEvents selected, UnaryOperator<Event> form) {
		List<Long> seqs = new ArrayList<>();
		Iterator<Event> events = selected.events().in((event) -> {
			seqs.add(event.seq());
			return form.apply(event);
		}).iterator();
		return new SelectedEventList(() -> events, seqs, selected.missing());
	}

	/** The ids in the body of a request. */
	static List<String> ids(JsonObject body) {
		List<String> ids = KnownFields.GET_EVENTS.read(body, "")
			.required(KnownFields.IDS)
			.elements(KnownFields.IDS)
			.stream()
			.map((id) -> id.string(KnownFields.IDS))
			.toList();
		if (ids.isEmpty() || ids.size() > MAX_IDS) {
			throw new JsonException.InvalidShape(KnownFields.IDS, "must have 1 to " + MAX_IDS + " ids");
		}
		if (new HashSet<>(ids).size() < ids.size()) {
			throw new JsonException.InvalidShape(KnownFields.IDS, "must not have the same id twice");
		}
		return ids;
	}

}
