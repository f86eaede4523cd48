package dev.agentsessions.console.list;

import java.util.List;

import dev.agentsessions.console.view.SessionView;

/**
 * The sessions that a filter finds, before they are deleted.
 *
 * @param first the first of them, as they are shown
 * @param sessions all of them
 * @param more whether the filter finds more, or may find more
 */
record Selection(List<SessionView> first, ShownSessions sessions, boolean more) {

}
