package dev.agentsessions.vertex;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.TimelineQuery;
import dev.agentsessions.session.event.TimelineQuery.EventPlace;
import dev.agentsessions.web.PageTokens;

/**
 * The events of a list.
 *
 * @param events where they are
 * @param tokens where its pages begin
 * @param key their session
 * @param query which of them
 * @param filter which of these, to the nanosecond
 * @param json how an event is written
 */
record EventListSource(EventService events, PageTokens tokens, SessionKey key, TimelineQuery query, TimeFilter filter,
		Function<Event, JsonText> json) implements ListWriter.Source<TimedEvent> {

	/** The list from the page on that begins where a token says. */
	EventListSource from(@Nullable String pageToken) {
		if (pageToken == null || pageToken.isEmpty()) {
			return this;
		}
		List<String> place = this.tokens.position(pageToken, fingerprint());
		EventPlace position = new EventPlace(Instant.parse(place.get(1)), Long.parseLong(place.get(2)));
		return new EventListSource(this.events, this.tokens, this.key,
				this.query.ofSession(UUID.fromString(place.get(0))).behind(position), this.filter, this.json);
	}

	@Override
	public Page<TimedEvent> read(@Nullable TimedEvent behind, int limit) {
		TimelineQuery next = (behind != null) ? this.query.ofSession(behind.birth()).behind(behind.position())
				: this.query;
		return TimedEvent.inOrder(this.events.timeline(this.key, next.limit(limit)), this.query.newestFirst());
	}

	@Override
	public @Nullable JsonText json(TimedEvent timed) {
		return this.filter.test(timed.time()) ? this.json.apply(timed.event()) : null;
	}

	@Override
	public String token(TimedEvent last) {
		return this.tokens.issue(fingerprint(), last.birth().toString(), last.time().toString(),
				Long.toString(last.event().seq()));
	}

	private List<?> fingerprint() {
		return Arrays.asList("vertex events", this.key, this.query.newestFirst(), this.filter);
	}

}
