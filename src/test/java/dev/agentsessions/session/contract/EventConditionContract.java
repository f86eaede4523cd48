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
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.lifecycle.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** Listing sessions by what one of their events is. */
interface EventConditionContract extends StoreUnderTest {

	@ParameterizedTest
	@ValueSource(strings = { "{\"errorCode\":\"SAFETY\"}", "{\"error_code\":\"SAFETY\"}",
			"{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"f\",\"response\":{\"error\":\"no\"}}}]}}",
			"{\"content\":{\"parts\":[{\"function_response\":{\"name\":\"f\",\"response\":{\"error\":{}}}}]}}",
			"{\"content\":{\"parts\":[{},{\"functionResponse\":{\"response\":{\"isError\":true}}}]}}" })
	default void findsErrors(String error) {
		SessionKey key = newSession();
		store(key, Events.event(error));
		store(key, Events.id("later"));
		assertThat(found(key, error())).containsExactly("s1 1");
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
		SessionKey key = newSession();
		store(key, Events.event(event));
		assertThat(found(key, error())).isEmpty();
	}

	@Test
	default void findsTheNewestEventOfATool() {
		SessionKey key = newSession();
		store(key, Events.event(call("search")));
		store(key, Events.event(response("search", "{}")));
		store(key, Events.event(call("search2")));
		store(key, Events.event("{\"content\":{\"parts\":[{\"text\":\"search\"}]}}"));
		store(key, Events.event(
				"{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"other\",\"args\":{\"name\":\"search\"}}}]}}"));
		assertThat(found(key, tool("search"))).containsExactly("s1 2");
		assertThat(found(key, tool("search2"))).containsExactly("s1 3");
		assertThat(found(key, tool("sea"))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "search", "\u5148\u6708", "a/b", "it's \"x\"", "100%_", "\\u0041", "\uD83D\uDE00", "x?y" })
	default void findsAToolHoweverItsNameIsEscaped(String name) {
		SessionKey key = newSession();
		StringBuilder escaped = new StringBuilder();
		name.chars().forEach((character) -> escaped.append("\\u%04x".formatted(character)));
		store(key, Events.event(call(name)));
		store(key, Events.event(call(name).replace(JsonStrings.quote(name), "\"" + escaped + "\"")));
		store(key, Events.event(call("other " + name)));
		assertThat(found(key, tool(name))).containsExactly("s1 2");
	}

	@Test
	default void findsAnErrorOfThisTool() {
		SessionKey key = newSession();
		store(key, Events.event("{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"a\",\"response\":{}}},"
				+ "{\"functionResponse\":{\"name\":\"b\",\"response\":{\"error\":\"no\"}}}]}}"));
		store(key, Events.event(response("a", "{}")));
		store(key, Events.event("{\"errorCode\":\"E\"," + call("c").substring(1)));
		assertThat(found(key, new EventCondition(null, null, true, "b", null))).containsExactly("s1 1");
		assertThat(found(key, new EventCondition(null, null, true, "a", null))).isEmpty();
		assertThat(found(key, new EventCondition(null, null, true, "c", null))).containsExactly("s1 3");
	}

	@Test
	default void findsAnAuthorAndAllConditionsInOneEvent() {
		SessionKey key = newSession();
		store(key, Events.event("{\"author\":\"planner\"}"));
		store(key, Events.event("{\"author\":\"user\",\"errorCode\":\"E\"}"));
		assertThat(found(key, author("planner"))).containsExactly("s1 1");
		assertThat(found(key, author("Planner"))).isEmpty();
		assertThat(found(key, new EventCondition(null, null, true, null, "planner"))).isEmpty();
		assertThat(found(key, new EventCondition(null, null, true, null, "user"))).containsExactly("s1 2");
	}

	@Test
	default void findsEventsOfATime() {
		SessionKey key = newSession();
		Instant first = store(key, Events.id("e1")).commitTime();
		Instant second = store(key, Events.id("e2")).commitTime();
		store().create(Sessions.empty(Sessions.sibling(key, "empty")));
		assertThat(found(key, between(first, first))).containsExactly("s1 1");
		assertThat(found(key, between(first, null))).containsExactly("s1 2");
		assertThat(found(key, between(null, second))).containsExactly("s1 2");
		assertThat(found(key, between(second.plusNanos(1000), null))).isEmpty();
		assertThat(found(key, between(null, first.minusNanos(1000)))).isEmpty();
		assertThat(found(key, between(second, first))).isEmpty();
	}

	@Test
	default void findsTheBeginningOfAnIdOrName() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.called(key, "100% Oslo", Map.of()));
		store().create(Sessions.called(Sessions.sibling(key, "trip-1"), "Rome", Map.of()));
		store().create(Sessions.empty(Sessions.sibling(key, "trip-2")));
		assertThat(beginningWith(key, "trip-")).containsExactly("trip-1", "trip-2");
		assertThat(beginningWith(key, "Ro")).containsExactly("trip-1");
		assertThat(beginningWith(key, "100%")).containsExactly("s1");
		assertThat(beginningWith(key, "%")).isEmpty();
		assertThat(beginningWith(key, "ome")).isEmpty();
		assertThat(beginningWith(key, "")).hasSize(3);
	}

	/** Random sessions of two users: each page continues where the one before ended. */
	@ParameterizedTest
	@CsvSource({ "USER,true,1", "USER,false,2", "UPDATE_TIME,true,3", "UPDATE_TIME,false,4" })
	default void missesAndDoublesNothingFromPageToPage(Order order, boolean newestFirst, int seed) {
		Random random = new Random(seed);
		SessionKey key = Sessions.newKey();
		List<String> expected = new ArrayList<>();
		for (int number = 0; number < 12; number++) {
			SessionKey session = new SessionKey(key.appName(), (number % 2 == 0) ? "alice" : "bob", "s" + number);
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
			SessionQuery query = SessionQuery.of(key.app(), order, newestFirst, 2, new Filter(null, Map.of(), true),
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

	private List<String> found(SessionKey key, EventCondition condition) {
		return pages(query(key, null), condition);
	}

	private List<String> beginningWith(SessionKey key, String prefix) {
		return store().list(query(key, prefix)).map((session) -> session.key().sessionId()).items();
	}

	private static List<String> texts(FoundSessions page) {
		return page.items().stream().map((found) -> found.session().key().sessionId() + " " + found.seq()).toList();
	}

	private static SessionQuery query(SessionKey key, @Nullable String prefix) {
		return SessionQuery.of(key.user(), Order.USER, false, 10, new Filter(null, Map.of(), true, false, null, prefix),
				true);
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
