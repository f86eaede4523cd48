package dev.agentsessions.vertex;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.TimelineQuery;
import dev.agentsessions.session.event.TimelineQuery.EventPosition;
import dev.agentsessions.web.PageTokens;

/**
 * The events of a list.
 *
 * @param events the service that reads them
 * @param tokens issues and reads page tokens
 * @param key the session
 * @param query selects the events
 * @param filter filters them to the nanosecond
 * @param json converts an event to JSON
 */
record EventListSource(EventService events, PageTokens tokens, SessionKey key, TimelineQuery query, TimeFilter filter,
		Function<Event, JsonText> json) implements ListWriter.Source<TimedEvent> {

	private static final String LIST = "vertex events";

	/** Returns the list from the page of a token on. */
	EventListSource from(@Nullable String pageToken) {
		if (pageToken == null || pageToken.isEmpty()) {
			return this;
		}
		List<String> values = this.tokens.position(pageToken, LIST, selection());
		EventPosition position = new EventPosition(Instant.parse(values.get(1)),
				EventPoint.parse("pageToken", UUID.fromString(values.get(0)), values.get(2)));
		return new EventListSource(this.events, this.tokens, this.key, this.query.after(position), this.filter,
				this.json);
	}

	@Override
	public Page<TimedEvent> read(@Nullable TimedEvent after, int limit) {
		TimelineQuery next = (after != null) ? this.query.after(after.position()) : this.query;
		return TimedEvent.inOrder(this.events.timeline(this.key, next.limit(limit)), this.query.newestFirst());
	}

	@Override
	public @Nullable JsonText json(TimedEvent timed) {
		return this.filter.test(timed.time()) ? this.json.apply(timed.event()) : null;
	}

	@Override
	public String token(TimedEvent last) {
		return this.tokens.issue(LIST, selection(), last.birth().toString(), last.time().toString(),
				last.position().event().text());
	}

	private List<? extends Record> selection() {
		return List.of(this.key, this.query, this.filter);
	}

}
