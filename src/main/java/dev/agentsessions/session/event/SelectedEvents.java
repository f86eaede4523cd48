package dev.agentsessions.session.event;

import java.util.List;

import dev.agentsessions.session.EventStream;

/**
 * Events of a session that were asked for by their ids.
 *
 * @param events those that are there, in the order in which they were asked for; read
 * while they are gone through
 * @param missing the ids of which the session has no event, in the same order
 */
public record SelectedEvents(EventStream events, List<String> missing) {

}
