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
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.SessionReads.SelectedEvents;

/** Listing events, and reading one. */
public interface EventsContract extends StoreUnderTest {

	/** The whole history in one page. */
	EventQuery WHOLE = EventQuery.of(false, 100);

	@Test
	default void listsEventsOfASession() {
		SessionKey key = newSession();
		storeMany(key, 3);
		assertThat(store().events(key, WHOLE).orElseThrow().page())
			.isEqualTo(new Page<>(read(key).events().toList(), false));
	}

	@Test
	default void listsEventsInBothDirectionsPageAfterPage() {
		SessionKey key = newSession();
		storeMany(key, 5);
		assertThat(pages(key, EventQuery.of(false, 2))).containsExactly(List.of("e1", "e2"), List.of("e3", "e4"),
				List.of("e5"));
		assertThat(pages(key, EventQuery.of(true, 2))).containsExactly(List.of("e5", "e4"), List.of("e3", "e2"),
				List.of("e1"));
	}

	@Test
	default void endsWithAFullPageOfEventsIfNothingFollows() {
		SessionKey key = newSession();
		storeMany(key, 4);
		assertThat(pages(key, EventQuery.of(false, 2))).containsExactly(List.of("e1", "e2"), List.of("e3", "e4"));
	}

	@Test
	default void readsEventsByTheirIds() {
		SessionKey key = newSession();
		storeMany(key, 4);
		SelectedEvents selected = store().events(key, List.of("e3", "no", "e1", "E2")).orElseThrow();
		assertThat(selected.events().toList())
			.isEqualTo(List.of(store().event(key, "e3").orElseThrow(), store().event(key, "e1").orElseThrow()));
		assertThat(selected.missing()).containsExactly("no", "E2");
		assertThat(store().events(key, List.of("no")).orElseThrow().events()).isEmpty();
		assertThat(store().events(Sessions.sibling(key, "other"), List.of("e1"))).isEmpty();
		assertThat(store().events(newSession(), List.of("e1")).orElseThrow().missing()).containsExactly("e1");
	}

	@Test
	default void listsEventsBetweenTwoOthers() {
		SessionKey key = newSession();
		storeMany(key, 5);
		assertThat(ids(key, EventQuery.of(false, 100).between(1, 4))).containsExactly("e2", "e3");
		assertThat(ids(key, EventQuery.of(true, 100).between(1, 4))).containsExactly("e3", "e2");
		assertThat(ids(key, EventQuery.of(false, 100).between(5, Long.MAX_VALUE))).isEmpty();
		assertThat(ids(key, EventQuery.of(false, 100).between(Long.MAX_VALUE, Long.MAX_VALUE))).isEmpty();
	}

	@Test
	default void listsEventsStampedAtATimeOrLater() {
		SessionKey key = conversation();
		assertThat(ids(key, filter("2026-01-01T00:00:02Z", null, null))).containsExactly("e1", "e3", "e4");
		assertThat(ids(key, filter("2026-01-01T00:00:02.000001Z", null, null))).containsExactly("e3", "e4");
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
		SessionKey key = conversation();
		EventQuery user = EventQuery.of(false, 2).filtered(new EventFilter(null, "user", null));
		assertThat(store().events(key, user).orElseThrow().more()).isFalse();
		assertThat(ids(key, user)).containsExactly("e1", "e3");
	}

	@Test
	default void listsNoEventsOfASessionWithoutAny() {
		assertThat(store().events(newSession(), WHOLE).orElseThrow().page()).isEqualTo(new Page<>(List.of(), false));
	}

	@Test
	default void listsEventsOfNothingThatIsNotThere() {
		SessionKey key = newSession();
		assertThat(store().events(Sessions.newKey(), WHOLE)).isEmpty();
		assertThat(store().events(Sessions.ofUser(key, "bob"), WHOLE)).isEmpty();
	}

	@Test
	default void listsNoEventsOfAnotherSessionThatTookThePlaceOfOne() {
		SessionKey key = newSession();
		UUID former = store().events(key, WHOLE).orElseThrow().birth();
		assertThat(store().events(key, WHOLE.ofSession(former))).isPresent();
		store().delete(key, Precondition.NONE);
		store().create(Sessions.empty(key));
		store(key, Events.id("e1"));
		assertThat(store().events(key, WHOLE.ofSession(former).after(0))).isEmpty();
		assertThat(store().events(key, WHOLE.after(0)).orElseThrow().birth()).isNotEqualTo(former);
	}

	@Test
	default void readsOneEvent() {
		SessionKey key = newSession();
		Event event = store(key, Events.id("e1"));
		assertThat(store().event(key, "e1")).contains(event);
		assertThat(store().event(key, "E1")).isEmpty();
		assertThat(store().event(Sessions.ofUser(key, "bob"), "e1")).isEmpty();
	}

	private SessionKey conversation() {
		SessionKey key = newSession();
		store(key, event("e1", "user", "i1", "2026-01-01T00:00:02Z"));
		store(key, event("e2", "agent", "i1", "2026-01-01T00:00:01Z"));
		store(key, event("e3", "user", "i2", "2026-01-01T00:00:03Z"));
		store(key, event("e4", "agent", "i2", "2026-01-01T00:00:04Z"));
		return key;
	}

	private static NewEvent event(String id, String author, String invocationId, String timestamp) {
		return Events.event("{\"id\":\"%s\",\"author\":\"%s\",\"invocationId\":\"%s\",\"timestamp\":\"%s\"}"
			.formatted(id, author, invocationId, timestamp));
	}

	private static EventQuery filter(@Nullable String since, @Nullable String author, @Nullable String invocationId) {
		return EventQuery.of(false, 100)
			.filtered(new EventFilter((since != null) ? Instant.parse(since) : null, author, invocationId));
	}

	private List<String> ids(SessionKey key, EventQuery query) {
		return store().events(key, query).orElseThrow().page().map(Event::id).items();
	}

	private List<List<String>> pages(SessionKey key, EventQuery query) {
		List<List<String>> pages = new ArrayList<>();
		@Nullable EventQuery next = query;
		while (next != null) {
			EventPage page = store().events(key, next).orElseThrow();
			pages.add(page.page().map(Event::id).items());
			next = page.more() ? query.after(page.end()) : null;
		}
		return pages;
	}

}
