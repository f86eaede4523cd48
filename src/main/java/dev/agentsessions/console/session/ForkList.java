package dev.agentsessions.console.session;

import java.util.List;
import java.util.Map;

import org.springframework.stereotype.Component;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionService;

/**
 * Finds the forks of a session. No index knows them by their source, so only the newest
 * sessions of the user are searched, and a page costs the same for every user.
 */
@Component
class ForkList {

	static final int MAX_SEARCHED = 100;

	private final SessionService sessions;

	ForkList(SessionService sessions) {
		this.sessions = sessions;
	}

	/** Returns the forks among the newest sessions of the user, the newest first. */
	List<SessionView> of(SessionName source, Links links) {
		Filter all = new Filter(null, Map.of(), true);
		SessionQuery newest = SessionQuery.of(source.user(), Order.USER, true, MAX_SEARCHED, all, false);
		return this.sessions.list(newest)
			.items()
			.stream()
			.filter((session) -> isFork(session, source))
			.map((session) -> SessionView.of(session, links))
			.toList();
	}

	private static boolean isFork(Session session, SessionName source) {
		return session.forkedFrom() != null && session.forkedFrom().sessionId().equals(source.sessionId());
	}

}
