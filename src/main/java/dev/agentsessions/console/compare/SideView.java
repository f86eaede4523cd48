package dev.agentsessions.console.compare;

import java.util.List;

import dev.agentsessions.console.session.TurnView;
import dev.agentsessions.console.view.SessionView;

/**
 * One of the two sessions of a comparison.
 *
 * @param about the session
 * @param prefix the prefix of the ids of its events on the page
 * @param turns its events, the oldest first
 * @param more whether it has later events
 * @param curl the command that reads the same events
 */
record SideView(SessionView about, String prefix, List<TurnView> turns, boolean more, String curl) {

}
