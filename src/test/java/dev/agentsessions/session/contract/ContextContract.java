package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.NewEvent;

/** What a model sees of a history. */
interface ContextContract extends StoreUnderTest {

	EventWindow CONTEXT = EventWindow.ALL.withView(HistoryView.CONTEXT);

	@Test
	default void showsAllOfAnOrdinaryHistory() {
		SessionName name = newSession();
		storeMany(name, 3);
		assertThat(context(name)).containsExactly("e1", "e2", "e3");
		assertThat(store().find(Sessions.sibling(name, "other"), CONTEXT)).isEmpty();
	}

	@Test
	default void hidesWhatWasRewound() {
		SessionName name = newSession();
		turns(name, 1, 4);
		rewind(name, "r1", "i3");
		turns(name, 5, 5);
		assertThat(context(name)).containsExactly("q1", "a1", "q2", "a2", "q5", "a5");
	}

	@Test
	default void hidesARewindToNowhereAlone() {
		SessionName name = newSession();
		turns(name, 1, 2);
		rewind(name, "r1", "i9");
		rewind(name, "r2", "i\\u0000");
		assertThat(context(name)).containsExactly("q1", "a1", "q2", "a2");
	}

	@Test
	default void rewindsRewinds() {
		SessionName name = newSession();
		turns(name, 1, 4);
		rewind(name, "r1", "i2");
		turns(name, 5, 5);
		rewind(name, "r2", "i4");
		assertThat(context(name)).as("what r1 took away is there again")
			.containsExactly("q1", "a1", "q2", "a2", "q3", "a3");
		rewind(name, "r3", "i1");
		assertThat(context(name)).isEmpty();
	}

	@Test
	default void hidesWhatASummaryStandsFor() {
		SessionName name = newSession();
		turns(name, 1, 3);
		summary(name, "s1", 1, 2.5);
		turns(name, 4, 4);
		assertThat(context(name)).containsExactly("q3", "a3", "s1", "q4", "a4");
	}

	@Test
	default void hidesSummariesWithinOthers() {
		SessionName name = newSession();
		turns(name, 1, 2);
		summary(name, "s1", 1, 2.5);
		turns(name, 3, 4);
		summary(name, "s2", 1, 4.5);
		summary(name, "s3", 2, 3);
		summary(name, "s4", 1, 4.5);
		summary(name, "s5", 4, 9);
		turns(name, 5, 10);
		assertThat(context(name)).containsExactly("s4", "s5", "q5", "a5", "q6", "a6", "q7", "a7", "q8", "a8", "q9",
				"a9", "q10", "a10");
	}

	@Test
	default void showsAgainWhatARewoundSummaryStoodFor() {
		SessionName name = newSession();
		turns(name, 1, 2);
		store(name, event("q3", "user", "i3", 3, ""));
		summary(name, "s1", 1, 2.5);
		assertThat(context(name)).containsExactly("q3", "s1");
		rewind(name, "r1", "i3");
		assertThat(context(name)).containsExactly("q1", "a1", "q2", "a2");
		summary(name, "s2", 1, 1.5);
		assertThat(context(name)).containsExactly("q2", "a2", "s2");
	}

	@Test
	default void showsEventsThatAreStoredAfterASummary() {
		SessionName name = newSession();
		turns(name, 1, 2);
		summary(name, "s1", 1, 2.5);
		store(name, event("late", "agent", "i2", 2.25, ""));
		store(name, event("q3", "user", "i3", 3, ""));
		assertThat(context(name)).containsExactly("s1", "late", "q3");
	}

	/** ADK Go names the events that a summary does not replace. */
	@Test
	default void showsEventsThatASummaryExcludes() {
		SessionName name = newSession();
		turns(name, 1, 3);
		store(name, Events
			.event("""
					{"id":"s1","author":"user","timestamp":4,"actions":{"compaction":{"startTimestamp":"1970-01-01T00:00:01Z",
					"endTimestamp":"1970-01-01T00:00:03.5Z","compactedContent":{"role":"model","parts":[{"text":"sum"}]},
					"excludedEvents":[{"invocationId":"i2","timestamp":"1970-01-01T00:00:02.500000001Z"}]}}}"""));
		summary(name, "s2", 1, 2);
		assertThat(context(name)).containsExactly("a2", "s1", "s2");
	}

	/**
	 * As ADK does, in binary floating point numbers: microseconds would be too coarse.
	 */
	@Test
	default void comparesTimesAsTheyWereSent() {
		SessionName name = newSession();
		store(name, Events.event("{\"id\":\"e1\",\"author\":\"a\",\"timestamp\":1767225600.123456}"));
		store(name, Events.event("{\"id\":\"e2\",\"author\":\"a\",\"timestamp\":1767225600.1234565}"));
		store(name, Events.event("{\"id\":\"e3\",\"author\":\"a\",\"timestamp\":1767225600.1234569}"));
		summary(name, "s1", "1767225600.1234563", "1767225600.1234566");
		assertThat(context(name)).containsExactly("e1", "e3", "s1");
	}

	@Test
	default void readsTimesOfSummariesInAllForms() {
		SessionName name = newSession();
		store(name, event("e1", "agent", "i1", 1767225600.5, ""));
		store(name, event("e2", "agent", "i2", 1767225700.5, ""));
		store(name, event("e3", "agent", "i3", 1767225800.5, ""));
		summary(name, "s1", "1767225600000", "1767225600500");
		summary(name, "s2", "\"2026-01-01T00:01:40Z\"", "\"2026-01-01T00:01:41Z\"");
		summary(name, "s3", "1", "1e400");
		assertThat(context(name)).containsExactly("e3", "s1", "s2", "s3");
	}

	@Test
	default void leavesTasksToTheirAgents() {
		SessionName name = newSession();
		turns(name, 1, 1);
		store(name, event("t1", "worker", "i1", 1.25, ",\"isolationScope\":\"c1\""));
		summary(name, "s1", 1, 2);
		store(name, Events.event("""
				{"id":"s2","author":"user","branch":"a.b","timestamp":9,"actions":{"compaction":
				{"startTimestamp":1,"endTimestamp":9,"compactedContent":{"role":"model","parts":[]}}}}"""));
		assertThat(context(name)).containsExactly("t1", "s1", "s2");
	}

	@Test
	default void keepsCallsWhoseAnswersAreLeft() {
		SessionName name = newSession();
		store(name, event("q1", "user", "i1", 1, ""));
		store(name, event("c1", "agent", "i1", 1.1, call("c-1", "c-2") + ",\"longRunningToolIds\":[\"c-1\"]"));
		store(name, event("p1", "agent", "i1", 1.2, answer("c-1")));
		store(name, event("p2", "agent", "i1", 1.3, answer("c-2")));
		store(name, event("a1", "agent", "i1", 1.4, ""));
		summary(name, "s1", 1, 1.4);
		assertThat(context(name)).as("it waits").containsExactly("c1", "p1", "p2", "s1");
		turns(name, 2, 2);
		store(name, event("p3", "user", "i1", 3, answer("c-1")));
		assertThat(context(name)).containsExactly("c1", "p1", "p2", "s1", "q2", "a2", "p3");
		summary(name, "s2", 2, 2.5);
		assertThat(context(name)).containsExactly("c1", "p1", "p2", "s1", "p3", "s2");
		summary(name, "s3", 1, 3);
		assertThat(context(name)).containsExactly("s3");
	}

	@Test
	default void keepsCallsThatWait() {
		SessionName name = newSession();
		store(name, event("c1", "agent", "i1", 1, call("c-1") + ",\"longRunningToolIds\":[\"c-1\"]"));
		summary(name, "s1", 1, 1);
		turns(name, 2, 2);
		assertThat(context(name)).containsExactly("c1", "s1", "q2", "a2");
		rewind(name, "r1", "i1");
		assertThat(context(name)).isEmpty();
	}

	@Test
	default void takesTheNewestOfWhatIsLeft() {
		SessionName name = newSession();
		turns(name, 1, 3);
		summary(name, "s1", 2, 2.5);
		turns(name, 4, 6);
		rewind(name, "r1", "i6");
		assertThat(context(name)).containsExactly("q1", "a1", "q3", "a3", "s1", "q4", "a4", "q5", "a5");
		assertThat(ids(name, new EventWindow(3, null, HistoryView.CONTEXT))).containsExactly("a4", "q5", "a5");
		assertThat(ids(name, new EventWindow(0, null, HistoryView.CONTEXT))).isEmpty();
		assertThat(ids(name, new EventWindow(null, Instant.ofEpochSecond(5), HistoryView.CONTEXT)))
			.containsExactly("s1", "q5", "a5");
		assertThat(ids(name, new EventWindow(null, null, HistoryView.CONTEXT, 9))).containsExactly("a4", "q5", "a5");
		assertThat(ids(name, new EventWindow(2, null, HistoryView.CONTEXT, 10))).containsExactly("q5", "a5");
		assertThat(ids(name, new EventWindow(4, null, HistoryView.CONTEXT, 11))).containsExactly("a5");
		assertThat(ids(name, new EventWindow(2, Instant.ofEpochSecond(1), HistoryView.CONTEXT))).containsExactly("q5",
				"a5");
		assertThat(ids(name, new EventWindow(9, Instant.ofEpochSecond(5), HistoryView.CONTEXT))).containsExactly("s1",
				"q5", "a5");
	}

	@Test
	default void listsPagesOfWhatIsLeft() {
		SessionName name = newSession();
		turns(name, 1, 3);
		summary(name, "s1", 1, 2.5);
		turns(name, 4, 4);
		EventQuery query = EventQuery.of(false, 2).withView(HistoryView.CONTEXT);
		assertThat(pages(name, query)).containsExactly(List.of("q3", "a3"), List.of("s1", "q4"), List.of("a4"));
		assertThat(pages(name, EventQuery.of(true, 4).withView(HistoryView.CONTEXT)))
			.containsExactly(List.of("a4", "q4", "s1", "a3"), List.of("q3"));
		assertThat(pages(name, EventQuery.of(false, 9).between(6, 9).withView(HistoryView.CONTEXT)))
			.containsExactly(List.of("s1", "q4"));
		assertThat(pages(name,
				EventQuery.of(false, 1).filtered(new EventFilter(null, "agent", null)).withView(HistoryView.CONTEXT)))
			.containsExactly(List.of("a3"), List.of("a4"));
		assertThat(pages(name,
				EventQuery.of(false, 2).filtered(new EventFilter(null, null, "i4")).withView(HistoryView.CONTEXT)))
			.containsExactly(List.of("q4", "a4"));
	}

	@Test
	default void contextViewIsEqualForEveryWayOfAppending() {
		List<String> history = new RandomHistory(42).events(80);
		List<NewEvent> events = history.stream().map(Events::event).toList();
		SessionName created = Sessions.newKey();
		store().create(Sessions.with(created, "{}", history.toArray(String[]::new)));
		SessionName batch = newSession();
		store().appendAll(batch, events, Precondition.NONE);
		SessionName single = newSession();
		events.forEach((event) -> store(single, event));
		assertRules(created, "created");
		assertThat(context(created)).hasSizeBetween(5, 75);
		assertThat(List.of(context(batch), context(single))).containsOnly(context(created));
	}

	@Test
	default void contextViewFollowsRulesForRandomHistories() {
		for (long seed = 1; seed <= 60; seed++) {
			SessionName name = newSession();
			List<String> history = new RandomHistory(seed).events(40);
			for (int from = 0; from < history.size(); from += 8) {
				List<NewEvent> next = history.subList(from, Math.min(from + 8, history.size()))
					.stream()
					.map(Events::event)
					.toList();
				store().appendAll(name, next, Precondition.NONE);
				assertRules(name, "seed %d, %d events".formatted(seed, from + 8));
			}
		}
	}

	private void assertRules(SessionName name, String which) {
		List<Event> history = read(name).events().toList();
		assertThat(context(name)).as(which).isEqualTo(ContextRules.left(history).stream().map(Event::id).toList());
	}

	private List<String> context(SessionName name) {
		return ids(name, CONTEXT);
	}

	private List<String> ids(SessionName name, EventWindow window) {
		return store().find(name, window).orElseThrow().events().toList().stream().map(Event::id).toList();
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

	/** A question and its answer each, half a second later. */
	private void turns(SessionName name, int first, int last) {
		IntStream.rangeClosed(first, last).forEach((number) -> {
			store(name, event("q" + number, "user", "i" + number, number, ""));
			store(name, event("a" + number, "agent", "i" + number, number + 0.5, ""));
		});
	}

	private void rewind(SessionName name, String id, String invocationId) {
		store(name, Events.event(
				"{\"id\":\"%s\",\"author\":\"user\",\"timestamp\":5,\"actions\":{\"rewindBeforeInvocationId\":\"%s\"}}"
					.formatted(id, invocationId)));
	}

	private void summary(SessionName name, String id, double from, double to) {
		summary(name, id, String.valueOf(from), String.valueOf(to));
	}

	private void summary(SessionName name, String id, String from, String to) {
		store(name,
				Events
					.event("""
							{"id":"%s","author":"user","timestamp":5,"actions":{"compaction":
							{"startTimestamp":%s,"endTimestamp":%s,"compactedContent":{"role":"model","parts":[{"text":"sum"}]}}}}"""
						.formatted(id, from, to)));
	}

	private static NewEvent event(String id, String author, String invocationId, double time, String more) {
		return Events.event("{\"id\":\"%s\",\"author\":\"%s\",\"invocationId\":\"%s\",\"timestamp\":%s%s}".formatted(id,
				author, invocationId, time, more));
	}

	private static String call(String... ids) {
		return parts("functionCall", ids);
	}

	private static String answer(String... ids) {
		return parts("functionResponse", ids);
	}

	private static String parts(String kind, String... ids) {
		List<String> parts = new ArrayList<>();
		for (String id : ids) {
			parts.add("{\"%s\":{\"id\":\"%s\",\"name\":\"f\"}}".formatted(kind, id));
		}
		return ",\"content\":{\"role\":\"model\",\"parts\":[" + String.join(",", parts) + "]}";
	}

}
