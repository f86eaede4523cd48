package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventService.SessionReads.SelectedEvents;
import dev.agentsessions.session.event.NewEvent;

/** Listing events, and reading one. */
public interface EventsContract extends StoreUnderTest {

	/** The whole history in one page. */
	EventQuery WHOLE = EventQuery.of(false, 100);

	@Test
	default void listsEventsOfASession() {
		SessionName name = newSession();
		storeMany(name, 3);
		assertThat(store().events(name, WHOLE).orElseThrow().page())
			.isEqualTo(new Page<>(read(name).events().toList(), false));
	}

	@Test
	default void listsEventsInBothDirectionsPageAfterPage() {
		SessionName name = newSession();
		storeMany(name, 5);
		assertThat(pages(name, EventQuery.of(false, 2))).containsExactly(List.of("e1", "e2"), List.of("e3", "e4"),
				List.of("e5"));
		assertThat(pages(name, EventQuery.of(true, 2))).containsExactly(List.of("e5", "e4"), List.of("e3", "e2"),
				List.of("e1"));
	}

	@Test
	default void endsWithAFullPageOfEventsIfNothingFollows() {
		SessionName name = newSession();
		storeMany(name, 4);
		assertThat(pages(name, EventQuery.of(false, 2))).containsExactly(List.of("e1", "e2"), List.of("e3", "e4"));
	}

	@Test
	default void readsEventsByTheirIds() {
		SessionName name = newSession();
		storeMany(name, 4);
		SelectedEvents selected = store().events(name, List.of("e3", "no", "e1", "E2")).orElseThrow();
		assertThat(selected.events().toList())
			.isEqualTo(List.of(store().event(name, "e3").orElseThrow(), store().event(name, "e1").orElseThrow()));
		assertThat(selected.missing()).containsExactly("no", "E2");
		assertThat(store().events(name, List.of("no")).orElseThrow().events()).isEmpty();
		assertThat(store().events(Sessions.sibling(name, "other"), List.of("e1"))).isEmpty();
		assertThat(store().events(newSession(), List.of("e1")).orElseThrow().missing()).containsExactly("e1");
	}

	@Test
	default void listsEventsBetweenTwoOthers() {
		SessionName name = newSession();
		storeMany(name, 5);
		assertThat(ids(name, EventQuery.of(false, 100).between(1, 4))).containsExactly("e2", "e3");
		assertThat(ids(name, EventQuery.of(true, 100).between(1, 4))).containsExactly("e3", "e2");
		assertThat(ids(name, EventQuery.of(false, 100).between(5, Long.MAX_VALUE))).isEmpty();
		assertThat(ids(name, EventQuery.of(false, 100).between(Long.MAX_VALUE, Long.MAX_VALUE))).isEmpty();
	}

	@Test
	default void listsEventsStampedAtATimeOrLater() {
		SessionName name = conversation();
		assertThat(ids(name, filter("2026-01-01T00:00:02Z", null, null))).containsExactly("e1", "e3", "e4");
		assertThat(ids(name, filter("2026-01-01T00:00:02.000001Z", null, null))).containsExactly("e3", "e4");
	}

	@Test
	default void listsEventsOfAnAuthor() {
		assertThat(ids(conversation(), filter(null, "user", null))).containsExactly("e1", "e3");
		assertThat(ids(conversation(), filter(null, "User", null))).isEmpty();
	}

	@Test
	default void listsEventsOfAnInvocation() {
		assertThat(ids(conversation(), filter(null, null, "i2"))).containsExactly("e3", "e4");
		assertThat(ids(conversation(), filter(null, null, ""))).isEmpty();
	}

	@Test
	default void listsEventsThatMeetAllConditions() {
		assertThat(ids(conversation(), filter("2026-01-01T00:00:03Z", "user", "i2"))).containsExactly("e3");
		assertThat(ids(conversation(), filter("2026-01-01T00:00:03Z", "user", "i1"))).isEmpty();
	}

	@Test
	default void fillsPagesWithEventsThatMatch() {
		SessionName name = conversation();
		EventQuery user = EventQuery.of(false, 2).filtered(new EventFilter(null, "user", null));
		assertThat(store().events(name, user).orElseThrow().more()).isFalse();
		assertThat(ids(name, user)).containsExactly("e1", "e3");
	}

	@Test
	default void listsNoEventsOfASessionWithoutAny() {
		assertThat(store().events(newSession(), WHOLE).orElseThrow().page()).isEqualTo(new Page<>(List.of(), false));
	}

	@Test
	default void listsEventsOfNothingThatIsNotThere() {
		SessionName name = newSession();
		assertThat(store().events(Sessions.newKey(), WHOLE)).isEmpty();
		assertThat(store().events(Sessions.ofUser(name, "bob"), WHOLE)).isEmpty();
	}

	@Test
	default void listsNoEventsOfAnotherSessionThatTookThePlaceOfOne() {
		SessionName name = newSession();
		UUID former = store().events(name, WHOLE).orElseThrow().sessionKey();
		assertThat(store().events(name, WHOLE.ofSession(former))).isPresent();
		store().delete(name, Precondition.NONE);
		store().create(Sessions.empty(name));
		store(name, Events.id("e1"));
		assertThat(store().events(name, WHOLE.ofSession(former).after(0))).isEmpty();
		assertThat(store().events(name, WHOLE.after(0)).orElseThrow().sessionKey()).isNotEqualTo(former);
	}

	@Test
	default void readsOneEvent() {
		SessionName name = newSession();
		Event event = store(name, Events.id("e1"));
		assertThat(store().event(name, "e1")).contains(event);
		assertThat(store().event(name, "E1")).isEmpty();
		assertThat(store().event(Sessions.ofUser(name, "bob"), "e1")).isEmpty();
	}

	private SessionName conversation() {
		SessionName name = newSession();
		store(name, event("e1", "user", "i1", "2026-01-01T00:00:02Z"));
		store(name, event("e2", "agent", "i1", "2026-01-01T00:00:01Z"));
		store(name, event("e3", "user", "i2", "2026-01-01T00:00:03Z"));
		store(name, event("e4", "agent", "i2", "2026-01-01T00:00:04Z"));
		return name;
	}

	private static NewEvent event(String id, String author, String invocationId, String timestamp) {
		return Events.event("{\"id\":\"%s\",\"author\":\"%s\",\"invocationId\":\"%s\",\"timestamp\":\"%s\"}"
			.formatted(id, author, invocationId, timestamp));
	}

	private static EventQuery filter(@Nullable String since, @Nullable String author, @Nullable String invocationId) {
		return EventQuery.of(false, 100)
			.filtered(new EventFilter((since != null) ? Instant.parse(since) : null, author, invocationId));
	}

	private List<String> ids(SessionName name, EventQuery query) {
		return store().events(name, query).orElseThrow().page().map(Event::id).items();
	}

	private List<List<String>> pages(SessionName name, EventQuery query) {
		List<List<String>> pages = new ArrayList<>();
		@Nullable EventQuery next = query;
		while (next != null) {
			EventPage page = store().events(name, next).orElseThrow();
			pages.add(page.page().map(Event::id).items());
			next = page.more() ? query.after(page.end()) : null;
		}
		return pages;
	}

}
