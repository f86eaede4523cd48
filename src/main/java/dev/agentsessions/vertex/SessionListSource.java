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
 * @param sessions where they are
 * @param tokens where its pages begin
 * @param query which of them
 * @param json how a session is written
 */
record SessionListSource(SessionService sessions, PageTokens tokens, SessionQuery query,
		Function<Session, JsonText> json) implements ListWriter.Source<Session> {

	/** The list from the page on that begins where a token says. */
	SessionListSource from(@Nullable String pageToken) {
		if (pageToken == null || pageToken.isEmpty()) {
			return this;
		}
		List<String> place = this.tokens.position(pageToken, fingerprint());
		return new SessionListSource(this.sessions, this.tokens,
				this.query.behind(new Position(place.get(0), Instant.parse(place.get(1)), place.get(2))), this.json);
	}

	@Override
	public Page<Session> read(@Nullable Session behind, int limit) {
		SessionQuery next = (behind != null) ? this.query.behind(this.query.position(behind)) : this.query;
		return this.sessions.list(next.limit(limit));
	}

	@Override
	public JsonText json(Session session) {
		return this.json.apply(session);
	}

	@Override
	public String token(Session last) {
		Position place = this.query.position(last);
		return this.tokens.issue(fingerprint(), place.userId(), place.time().toString(), place.sessionId());
	}

	private List<?> fingerprint() {
		return Arrays.asList("vertex sessions", this.query.appName(), this.query.userId(), this.query.order(),
				this.query.newestFirst(), this.query.filter());
	}

}
