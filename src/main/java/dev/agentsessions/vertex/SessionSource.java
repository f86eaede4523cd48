package dev.agentsessions.vertex;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.http.PageToken;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionQuery;
import dev.agentsessions.session.SessionQuery.Position;
import dev.agentsessions.session.SessionService;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.json.JsonText;

/**
 * The sessions of a list.
 *
 * @param sessions where they are
 * @param query which of them
 * @param json how a session is written
 */
record SessionSource(SessionService sessions, SessionQuery query,
		Function<Session, JsonText> json) implements ListWriter.Source<Session> {

	private static final int PARTS = 3;

	/** The list from the page on that begins where a token says. */
	SessionSource from(@Nullable String pageToken) {
		if (pageToken == null || pageToken.isEmpty()) {
			return this;
		}
		List<String> place = PageToken.position(pageToken, fingerprint(), PARTS);
		return new SessionSource(this.sessions,
				this.query
					.behind(new Position(place.get(0), Timestamps.parse("pageToken", place.get(1)), place.get(2))),
				this.json);
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
		return PageToken.of(fingerprint(), place.userId(), place.time().toString(), place.sessionId());
	}

	private List<Object> fingerprint() {
		return List.of("sessions", this.query.appName(), String.valueOf(this.query.userId()), this.query.order(),
				this.query.newestFirst(), this.query.filter());
	}

}
