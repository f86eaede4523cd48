package dev.agentsessions.session.event;

import java.util.List;

import dev.agentsessions.session.EventStream;

/**
 * Events of a session that a caller selects by their ids.
 *
 * @param events the events that exist, in the requested order; read during iteration
 * @param missing the ids of which the session has no event, in the same order
 */
public record SelectedEvents(EventStream events, List<String> missing) {

}
