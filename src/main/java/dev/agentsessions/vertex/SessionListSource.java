package dev.agentsessions.vertex;

import java.time.Instant;
import java.util.Arrays;
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

	/** Returns the list from the page of a token on. */
	SessionListSource from(@Nullable String pageToken) {
		if (pageToken == null || pageToken.isEmpty()) {
			return this;
		}
		List<String> values = this.tokens.position(pageToken, fingerprint());
		return new SessionListSource(this.sessions, this.tokens,
				this.query.after(new Position(values.get(0), Instant.parse(values.get(1)), values.get(2))), this.json);
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
		Position position = this.query.position(last);
		return this.tokens.issue(fingerprint(), position.userId(), position.time().toString(), position.sessionId());
	}

	private List<?> fingerprint() {
		return Arrays.asList("vertex sessions", this.query.appName(), this.query.userId(), this.query.order(),
				this.query.newestFirst(), this.query.filter());
	}

}
