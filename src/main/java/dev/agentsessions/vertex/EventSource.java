package dev.agentsessions.vertex;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.http.PageToken;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionService;
import dev.agentsessions.session.TimelineQuery;
import dev.agentsessions.session.TimelineQuery.Position;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.state.JsonText;

/**
 * The events of a list.
 *
 * @param sessions where they are
 * @param key their session
 * @param query which of them
 * @param filter which of these, to the nanosecond
 * @param json how an event is written
 */
record EventSource(SessionService sessions, SessionKey key, TimelineQuery query, TimeFilter filter,
		Function<Event, JsonText> json) implements ListWriter.Source<Event> {

	private static final int PARTS = 2;

	/** The list from the page on that begins where a token says. */
	EventSource from(@Nullable String pageToken) {
		if (pageToken == null || pageToken.isEmpty()) {
			return this;
		}
		List<String> place = PageToken.position(pageToken, fingerprint(), PARTS);
		Position position = new Position(Timestamps.parse("pageToken", place.get(0)), PageToken.number(place.get(1)));
		return new EventSource(this.sessions, this.key, this.query.behind(position), this.filter, this.json);
	}

	@Override
	public Page<Event> read(@Nullable Event behind, int limit) {
		TimelineQuery next = (behind != null) ? this.query.behind(Position.of(behind)) : this.query;
		return this.sessions.timeline(this.key, next.limit(limit));
	}

	@Override
	public @Nullable JsonText json(Event event) {
		return this.filter.test(event.time()) ? this.json.apply(event) : null;
	}

	@Override
	public String token(Event last) {
		return PageToken.of(fingerprint(), last.time().toString(), Long.toString(last.seq()));
	}

	private List<?> fingerprint() {
		return Arrays.asList("events", this.key, this.query.newestFirst(), this.filter);
	}

}
