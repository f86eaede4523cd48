package dev.agentsessions.session;

import java.util.List;

/**
 * Events of a session that were asked for by their ids.
 *
 * @param events those that are there, in the order in which they were asked for; read
 * while they are gone through
 * @param missing the ids of which the session has no event, in the same order
 */
public record SelectedEvents(History events, List<String> missing) {

}
