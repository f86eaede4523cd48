package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** Listing sessions by what one of their events is. */
interface EventConditionContract extends StoreUnderTest {

	@ParameterizedTest
	@ValueSource(strings = { "{\"errorCode\":\"SAFETY\"}", "{\"error_code\":\"SAFETY\"}",
			"{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"f\",\"response\":{\"error\":\"no\"}}}]}}",
			"{\"content\":{\"parts\":[{\"function_response\":{\"name\":\"f\",\"response\":{\"error\":{}}}}]}}",
			"{\"content\":{\"parts\":[{},{\"functionResponse\":{\"response\":{\"isError\":true}}}]}}" })
	default void findsErrors(String error) {
		SessionName name = newSession();
		store(name, Events.event(error));
		store(name, Events.id("later"));
		assertThat(found(name, error())).containsExactly("s1 1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"errorCode\":\"\"}", "{\"errorCode\":null}", "{\"errorMessage\":\"no\"}",
			"{\"content\":{\"parts\":[{\"text\":\"\\\"error\\\"\"}]}}",
			"{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"args\":{\"error\":\"functionResponse\"}}}]}}",
			"{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"f\",\"response\":{\"error\":null}}}]}}",
			"{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"f\",\"response\":{\"error\":false}}}]}}",
			"{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"f\",\"response\":{\"error\":\"\"}}}]}}",
			"{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"f\",\"response\":{\"a\":{\"error\":1}}}}]}}",
			"{\"content\":{\"parts\":[{\"functionResponse\":{\"response\":{\"isError\":false,\"error\":\"\"}}}]}}" })
	default void findsNothingElseAsAnError(String event) {
		SessionName name = newSession();
		store(name, Events.event(event));
		assertThat(found(name, error())).isEmpty();
	}

	@Test
	default void findsTheNewestEventOfATool() {
		SessionName name = newSession();
		store(name, Events.event(call("search")));
		store(name, Events.event(response("search", "{}")));
		store(name, Events.event(call("search2")));
		store(name, Events.event("{\"content\":{\"parts\":[{\"text\":\"search\"}]}}"));
		store(name, Events.event(
				"{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"other\",\"args\":{\"name\":\"search\"}}}]}}"));
		assertThat(found(name, tool("search"))).containsExactly("s1 2");
		assertThat(found(name, tool("search2"))).containsExactly("s1 3");
		assertThat(found(name, tool("sea"))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "search", "\u5148\u6708", "a/b", "it's \"x\"", "100%_", "\\u0041", "\uD83D\uDE00", "x?y" })
	default void findsAToolHoweverItsNameIsEscaped(String name) {
		SessionName session = newSession();
		StringBuilder escaped = new StringBuilder();
		name.chars().forEach((character) -> escaped.append("\\u%04x".formatted(character)));
		store(session, Events.event(call(name)));
		store(session, Events.event(call(name).replace(JsonStrings.quote(name), "\"" + escaped + "\"")));
		store(session, Events.event(call("other " + name)));
		assertThat(found(session, tool(name))).containsExactly("s1 2");
	}

	@Test
	default void findsAnErrorOfThisTool() {
		SessionName name = newSession();
		store(name, Events.event("{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"a\",\"response\":{}}},"
				+ "{\"functionResponse\":{\"name\":\"b\",\"response\":{\"error\":\"no\"}}}]}}"));
		store(name, Events.event(response("a", "{}")));
		store(name, Events.event("{\"errorCode\":\"E\"," + call("c").substring(1)));
		assertThat(found(name, new EventCondition(null, null, true, "b", null))).containsExactly("s1 1");
		assertThat(found(name, new EventCondition(null, null, true, "a", null))).isEmpty();
		assertThat(found(name, new EventCondition(null, null, true, "c", null))).containsExactly("s1 3");
	}

	@Test
	default void findsAnAuthorAndAllConditionsInOneEvent() {
		SessionName name = newSession();
		store(name, Events.event("{\"author\":\"planner\"}"));
		store(name, Events.event("{\"author\":\"user\",\"errorCode\":\"E\"}"));
		assertThat(found(name, author("planner"))).containsExactly("s1 1");
		assertThat(found(name, author("Planner"))).isEmpty();
		assertThat(found(name, new EventCondition(null, null, true, null, "planner"))).isEmpty();
		assertThat(found(name, new EventCondition(null, null, true, null, "user"))).containsExactly("s1 2");
	}

	@Test
	default void findsEventsOfATime() {
		SessionName name = newSession();
		Instant first = store(name, Events.id("e1")).commitTime();
		Instant second = store(name, Events.id("e2")).commitTime();
		store().create(Sessions.empty(Sessions.sibling(name, "empty")));
		assertThat(found(name, between(first, first))).containsExactly("s1 1");
		assertThat(found(name, between(first, null))).containsExactly("s1 2");
		assertThat(found(name, between(null, second))).containsExactly("s1 2");
		assertThat(found(name, between(second.plusNanos(1000), null))).isEmpty();
		assertThat(found(name, between(null, first.minusNanos(1000)))).isEmpty();
		assertThat(found(name, between(second, first))).isEmpty();
	}

	@Test
	default void findsTheBeginningOfAnIdOrName() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.called(name, "100% Oslo", Map.of()));
		store().create(Sessions.called(Sessions.sibling(name, "trip-1"), "Rome", Map.of()));
		store().create(Sessions.empty(Sessions.sibling(name, "trip-2")));
		assertThat(beginningWith(name, "trip-")).containsExactly("trip-1", "trip-2");
		assertThat(beginningWith(name, "Ro")).containsExactly("trip-1");
		assertThat(beginningWith(name, "100%")).containsExactly("s1");
		assertThat(beginningWith(name, "%")).isEmpty();
		assertThat(beginningWith(name, "ome")).isEmpty();
		assertThat(beginningWith(name, "")).hasSize(3);
	}

	/** Random sessions of two users: each page continues where the one before ended. */
	@ParameterizedTest
	@CsvSource({ "USER,true,1", "USER,false,2", "UPDATE_TIME,true,3", "UPDATE_TIME,false,4" })
	default void missesAndDoublesNothingFromPageToPage(Order order, boolean newestFirst, int seed) {
		Random random = new Random(seed);
		SessionName name = Sessions.newKey();
		List<String> expected = new ArrayList<>();
		for (int number = 0; number < 12; number++) {
			SessionName session = new SessionName(name.appName(), (number % 2 == 0) ? "alice" : "bob", "s" + number);
			store().create(Sessions.empty(session));
			Event wanted = null;
			for (int event = random.nextInt(4); event > 0; event--) {
				wanted = random.nextBoolean() ? store(session, Events.event("{\"errorCode\":\"E\",\"author\":\"a\"}"))
						: wanted;
				store(session, Events.event(random.nextBoolean() ? call("f") : "{\"author\":\"b\"}"));
			}
			if (wanted != null) {
				expected.add(session.sessionId() + " " + wanted.seq());
			}
		}
		for (EventCondition condition : List.of(error(), author("a"))) {
			SessionQuery query = SessionQuery.of(name.app(), order, newestFirst, 2, new Filter(null, Map.of(), true),
					false);
			assertThat(pages(query, condition)).containsExactlyInAnyOrderElementsOf(expected).isNotEmpty();
		}
	}

	private List<String> pages(SessionQuery query, EventCondition condition) {
		List<String> all = new ArrayList<>();
		FoundSessions page = store().find(query, condition);
		all.addAll(texts(page));
		while (page.next() != null) {
			page = store().find(query.after(page.next()), condition);
			all.addAll(texts(page));
		}
		return all;
	}

	private List<String> found(SessionName name, EventCondition condition) {
		return pages(query(name, null), condition);
	}

	private List<String> beginningWith(SessionName name, String prefix) {
		return store().list(query(name, prefix)).map((session) -> session.name().sessionId()).items();
	}

	private static List<String> texts(FoundSessions page) {
		return page.items().stream().map((found) -> found.session().name().sessionId() + " " + found.seq()).toList();
	}

	private static SessionQuery query(SessionName name, @Nullable String prefix) {
		return SessionQuery.of(name.user(), Order.USER, false, 10,
				new Filter(null, Map.of(), true, false, null, prefix), true);
	}

	private static EventCondition error() {
		return new EventCondition(null, null, true, null, null);
	}

	private static EventCondition tool(String name) {
		return new EventCondition(null, null, false, name, null);
	}

	private static EventCondition author(String name) {
		return new EventCondition(null, null, false, null, name);
	}

	private static EventCondition between(@Nullable Instant from, @Nullable Instant until) {
		return new EventCondition(from, until, false, null, null);
	}

	private static String call(String name) {
		return "{\"content\":{\"parts\":[{\"functionCall\":{\"name\":%s}}]}}".formatted(JsonStrings.quote(name));
	}

	private static String response(String name, String response) {
		return "{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":%s,\"response\":%s}}]}}"
			.formatted(JsonStrings.quote(name), response);
	}

}
