package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.TimelineQuery;
import dev.agentsessions.session.event.TimelineQuery.EventPosition;

/** Listing events by the time their senders gave them. */
public interface TimelineContract extends StoreUnderTest {

	/** The whole history in one page. */
	TimelineQuery WHOLE = new TimelineQuery(false, null, null, null, 100);

	@Test
	default void ordersEventsByTheirOwnTimeAndThenAsTheyCame() {
		SessionKey key = conversation();
		assertThat(ids(key, WHOLE)).containsExactly("e5", "e6", "e2", "e1", "e3", "e4");
		assertThat(ids(key, new TimelineQuery(true, null, null, null, 100))).containsExactly("e4", "e3", "e1", "e2",
				"e6", "e5");
	}

	@Test
	default void turnsThePagesOfATimeline() {
		SessionKey key = conversation();
		assertThat(pages(key, false)).containsExactly(List.of("e5", "e6"), List.of("e2", "e1"), List.of("e3", "e4"));
		assertThat(pages(key, true)).containsExactly(List.of("e4", "e3"), List.of("e1", "e2"), List.of("e6", "e5"));
	}

	@Test
	default void listsEventsBetweenTwoTimes() {
		SessionKey key = conversation();
		Instant two = Instant.parse("2026-01-01T00:00:02Z");
		assertThat(ids(key, new TimelineQuery(false, two, null, null, 100))).containsExactly("e1", "e3", "e4");
		assertThat(ids(key, new TimelineQuery(false, null, two, null, 100))).containsExactly("e5", "e6", "e2", "e1",
				"e3");
		assertThat(ids(key, new TimelineQuery(false, two, two, null, 100))).containsExactly("e1", "e3");
	}

	@Test
	default void listsEventsOfAMicrosecondToItsEnd() {
		SessionKey key = newSession();
		for (String nanos : List.of("000", "500", "999", "1500")) {
			store(key, at(nanos, Instant.parse("2026-01-01T00:00:00Z").plusNanos(Long.parseLong(nanos)).toString()));
		}

		Instant first = Instant.parse("2026-01-01T00:00:00.0000005Z");
		assertThat(ids(key, new TimelineQuery(false, first, first, null, 100))).containsExactly("000", "500", "999");
		Instant second = Instant.parse("2026-01-01T00:00:00.0000015Z");
		assertThat(ids(key, new TimelineQuery(false, second, second, null, 100))).containsExactly("1500");
		EventQuery since = EventQuery.of(false, 100).filtered(new EventFilter(second, null, null));
		assertThat(store().events(key, since).orElseThrow().items()).extracting(Event::id).containsExactly("1500");
		assertThat(store().find(key, new EventWindow(null, second)).orElseThrow().events().toList())
			.extracting(Event::id)
			.containsExactly("1500");
	}

	@Test
	default void hasNoTimelineOfWhatIsNotThere() {
		SessionKey key = newSession();
		assertThat(store().timeline(key, WHOLE).orElseThrow().page()).isEqualTo(new Page<>(List.of(), false));
		assertThat(store().timeline(Sessions.newKey(), WHOLE)).isEmpty();
		assertThat(store().timeline(Sessions.ofUser(key, "bob"), WHOLE)).isEmpty();
	}

	@Test
	default void hasNoTimelineOfAnotherSessionThatTookThePlaceOfOne() {
		SessionKey key = conversation();
		EventPage first = store().timeline(key, WHOLE.limit(1)).orElseThrow();
		TimelineQuery next = WHOLE.after(place(first));
		assertThat(store().timeline(key, next)).isPresent();
		store().delete(key, Precondition.NONE);
		store().create(Sessions.empty(key));
		store(key, Events.id("e1"));
		assertThat(store().timeline(key, next)).isEmpty();
	}

	private SessionKey conversation() {
		SessionKey key = newSession();
		store(key, at("e1", "2026-01-01T00:00:02Z"));
		store(key, at("e2", "2026-01-01T00:00:01.999999Z"));
		store(key, at("e3", "2026-01-01T00:00:02Z"));
		store(key, at("e4", "2026-01-01T00:00:04Z"));
		store(key, at("e5", "0001-01-01T00:00:00Z"));
		store(key, at("e6", "0001-01-01T00:00:00Z"));
		return key;
	}

	private static EventPosition place(EventPage page) {
		return new EventPosition(EventFields.timeOf(JsonObject.parse(page.page().last().body().text())), page.end());
	}

	private static NewEvent at(String id, String time) {
		return Events.event("{\"id\":\"%s\",\"author\":\"agent\",\"timestamp\":\"%s\"}".formatted(id, time));
	}

	private List<String> ids(SessionKey key, TimelineQuery query) {
		return store().timeline(key, query).orElseThrow().page().map(Event::id).items();
	}

	private List<List<String>> pages(SessionKey key, boolean newestFirst) {
		List<List<String>> pages = new ArrayList<>();
		@Nullable TimelineQuery next = new TimelineQuery(newestFirst, null, null, null, 2);
		while (next != null) {
			EventPage page = store().timeline(key, next).orElseThrow();
			pages.add(page.page().map(Event::id).items());
			next = page.more() ? next.after(place(page)) : null;
		}
		return pages;
	}

}
