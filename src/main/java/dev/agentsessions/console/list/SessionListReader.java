package dev.agentsessions.console.list;

import org.springframework.stereotype.Component;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.manage.FoundSessions;
import dev.agentsessions.session.manage.SessionQuery;
import dev.agentsessions.session.manage.SessionQuery.Position;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.web.PageTokens;

/** Reads the sessions of a page, with the event that matched if events are filtered. */
@Component
class SessionListReader {

	private final SessionService sessions;

	private final PageTokens tokens;

	SessionListReader(SessionService sessions, PageTokens tokens) {
		this.sessions = sessions;
		this.tokens = tokens;
	}

	/** Reads a page of the sessions of a user, or of all users of an app. */
	SessionList read(ListParameters parameters, StateOwner owner, Links links) {
		EventCondition condition = parameters.condition();
		SessionQuery query = parameters.toQuery(owner.appName(), owner.userId(), this.tokens);
		if (!condition.isEmpty()) {
			FoundSessions found = this.sessions.find(query, condition);
			Position next = found.next();
			return new SessionList(
					found.items().stream().map((item) -> SessionView.of(item.session(), item.seq(), links)).toList(),
					(next != null) ? parameters.next(next, query, this.tokens) : null);
		}
		Page<Session> page = this.sessions.list(query);
		return new SessionList(page.items().stream().map((session) -> SessionView.of(session, links)).toList(),
				page.more() ? parameters.next(query.position(page.last()), query, this.tokens) : null);
	}

}
