package dev.agentsessions.console.list;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.SessionView;

/**
 * A page of sessions, as it is shown.
 *
 * @param sessions the sessions
 * @param next the query string of the next page; {@code null} on the last page
 */
record SessionList(List<SessionView> sessions, @Nullable String next) {

	static final SessionList EMPTY = new SessionList(List.of(), null);

}
