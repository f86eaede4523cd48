package dev.agentsessions.vertex;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.manage.SessionQuery;
import dev.agentsessions.session.manage.SessionQuery.Position;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.web.PageTokens;

/**
 * The sessions of a list.
 *
 * @param sessions the service that reads them
 * @param tokens issues and reads page tokens
 * @param query selects the sessions
 * @param json converts a session to JSON
 */
record SessionListSource(SessionService sessions, PageTokens tokens, SessionQuery query,
		Function<Session, JsonText> json) implements ListWriter.Source<Session> {

	private static final String LIST = "vertex sessions";

	/** Returns the list from the page of a token on. */
	SessionListSource from(@Nullable String pageToken) {
		if (pageToken == null || pageToken.isEmpty()) {
			return this;
		}
		Position position = Position.of(this.tokens.position(pageToken, LIST, List.of(this.query)));
		return new SessionListSource(this.sessions, this.tokens, this.query.after(position), this.json);
	}

	@Override
	public Page<Session> read(@Nullable Session after, int limit) {
		SessionQuery next = (after != null) ? this.query.after(this.query.position(after)) : this.query;
		return this.sessions.list(next.limit(limit));
	}

	@Override
	public JsonText json(Session session) {
		return this.json.apply(session);
	}

	@Override
	public String token(Session last) {
		return this.tokens.issue(LIST, List.of(this.query), this.query.position(last).texts());
	}

}
