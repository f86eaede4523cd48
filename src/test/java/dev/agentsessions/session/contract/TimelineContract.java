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
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventQuery.TimelineQuery;
import dev.agentsessions.session.event.EventQuery.TimelineQuery.EventPosition;
import dev.agentsessions.session.event.NewEvent;

/** Listing events by the time their senders gave them. */
public interface TimelineContract extends StoreUnderTest {

	/** The whole history in one page. */
	TimelineQuery WHOLE = new TimelineQuery(false, null, null, null, 100);

	@Test
	default void ordersEventsByTheirOwnTimeAndThenAsTheyCame() {
		SessionName name = conversation();
		assertThat(ids(name, WHOLE)).containsExactly("e5", "e6", "e2", "e1", "e3", "e4");
		assertThat(ids(name, new TimelineQuery(true, null, null, null, 100))).containsExactly("e4", "e3", "e1", "e2",
				"e6", "e5");
	}

	@Test
	default void turnsThePagesOfATimeline() {
		SessionName name = conversation();
		assertThat(pages(name, false)).containsExactly(List.of("e5", "e6"), List.of("e2", "e1"), List.of("e3", "e4"));
		assertThat(pages(name, true)).containsExactly(List.of("e4", "e3"), List.of("e1", "e2"), List.of("e6", "e5"));
	}

	@Test
	default void listsEventsBetweenTwoTimes() {
		SessionName name = conversation();
		Instant two = Instant.parse("2026-01-01T00:00:02Z");
		assertThat(ids(name, new TimelineQuery(false, two, null, null, 100))).containsExactly("e1", "e3", "e4");
		assertThat(ids(name, new TimelineQuery(false, null, two, null, 100))).containsExactly("e5", "e6", "e2", "e1",
				"e3");
		assertThat(ids(name, new TimelineQuery(false, two, two, null, 100))).containsExactly("e1", "e3");
	}

	@Test
	default void listsEventsOfAMicrosecondToItsEnd() {
		SessionName name = newSession();
		for (String nanos : List.of("000", "500", "999", "1500")) {
			store(name, at(nanos, Instant.parse("2026-01-01T00:00:00Z").plusNanos(Long.parseLong(nanos)).toString()));
		}

		Instant first = Instant.parse("2026-01-01T00:00:00.0000005Z");
		assertThat(ids(name, new TimelineQuery(false, first, first, null, 100))).containsExactly("000", "500", "999");
		Instant second = Instant.parse("2026-01-01T00:00:00.0000015Z");
		assertThat(ids(name, new TimelineQuery(false, second, second, null, 100))).containsExactly("1500");
		EventQuery since = EventQuery.of(false, 100).filtered(new EventFilter(second, null, null));
		assertThat(store().events(name, since).orElseThrow().items()).extracting(Event::id).containsExactly("1500");
		assertThat(store().find(name, new EventWindow(null, second)).orElseThrow().events().toList())
			.extracting(Event::id)
			.containsExactly("1500");
	}

	@Test
	default void hasNoTimelineOfWhatIsNotThere() {
		SessionName name = newSession();
		assertThat(store().timeline(name, WHOLE).orElseThrow().page()).isEqualTo(new Page<>(List.of(), false));
		assertThat(store().timeline(Sessions.newKey(), WHOLE)).isEmpty();
		assertThat(store().timeline(Sessions.ofUser(name, "bob"), WHOLE)).isEmpty();
	}

	@Test
	default void hasNoTimelineOfAnotherSessionThatTookThePlaceOfOne() {
		SessionName name = conversation();
		EventPage first = store().timeline(name, WHOLE.limit(1)).orElseThrow();
		TimelineQuery next = WHOLE.after(place(first));
		assertThat(store().timeline(name, next)).isPresent();
		store().delete(name, Precondition.NONE);
		store().create(Sessions.empty(name));
		store(name, Events.id("e1"));
		assertThat(store().timeline(name, next)).isEmpty();
	}

	private SessionName conversation() {
		SessionName name = newSession();
		store(name, at("e1", "2026-01-01T00:00:02Z"));
		store(name, at("e2", "2026-01-01T00:00:01.999999Z"));
		store(name, at("e3", "2026-01-01T00:00:02Z"));
		store(name, at("e4", "2026-01-01T00:00:04Z"));
		store(name, at("e5", "0001-01-01T00:00:00Z"));
		store(name, at("e6", "0001-01-01T00:00:00Z"));
		return name;
	}

	private static EventPosition place(EventPage page) {
		return new EventPosition(EventFields.timeOf(JsonObject.parse(page.page().last().body().text())), page.end());
	}

	private static NewEvent at(String id, String time) {
		return Events.event("{\"id\":\"%s\",\"author\":\"agent\",\"timestamp\":\"%s\"}".formatted(id, time));
	}

	private List<String> ids(SessionName name, TimelineQuery query) {
		return store().timeline(name, query).orElseThrow().page().map(Event::id).items();
	}

	private List<List<String>> pages(SessionName name, boolean newestFirst) {
		List<List<String>> pages = new ArrayList<>();
		@Nullable TimelineQuery next = new TimelineQuery(newestFirst, null, null, null, 2);
		while (next != null) {
			EventPage page = store().timeline(name, next).orElseThrow();
			pages.add(page.page().map(Event::id).items());
			next = page.more() ? next.after(place(page)) : null;
		}
		return pages;
	}

}
