package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** Listing sessions: what is left out. */
interface ListFilterContract extends StoreUnderTest {

	@Test
	default void filtersByDisplayName() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.called(name, "Holiday", Map.of()));
		store().create(Sessions.called(Sessions.sibling(name, "s2"), "holiday", Map.of()));
		store().create(Sessions.empty(Sessions.sibling(name, "s3")));
		assertThat(ids(name, new Filter("Holiday", Map.of(), true))).containsExactly("s1");
		assertThat(ids(name, new Filter("Holi", Map.of(), true))).isEmpty();
	}

	@Test
	default void filtersByAllOfSomeLabels() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.called(name, "", Map.of("a", "1", "b", "2", "c", "3")));
		store().create(Sessions.called(Sessions.sibling(name, "s2"), "", Map.of("a", "1", "b", "3")));
		store().create(Sessions.empty(Sessions.sibling(name, "s3")));
		assertThat(ids(name, new Filter(null, Map.of("a", "1"), true))).containsExactly("s1", "s2");
		assertThat(ids(name, new Filter(null, Map.of("a", "1", "b", "2"), true))).containsExactly("s1");
		assertThat(ids(name, new Filter(null, Map.of("A", "1"), true))).isEmpty();
		assertThat(ids(name, new Filter(null, Map.of("d", ""), true))).isEmpty();
	}

	@Test
	default void takesFiltersAsTextAndNotAsPatterns() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.called(name, "100%", Map.of("it's", "{\"a\":[1]}")));
		store().create(Sessions.called(Sessions.sibling(name, "s2"), "100 per cent", Map.of()));
		assertThat(ids(name, new Filter("100%", Map.of("it's", "{\"a\":[1]}"), true))).containsExactly("s1");
		assertThat(ids(name, new Filter("%", Map.of(), true))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ADK_EVAL_", "___eval___session___", "adk-eval-session-" })
	default void hidesEvaluationsUnlessAskedFor(String prefix) {
		SessionName name = newSession();
		store().create(Sessions.empty(Sessions.sibling(name, prefix + "1")));
		store().create(Sessions.empty(Sessions.sibling(name, "my" + prefix + "2")));
		assertThat(ids(name, new Filter(null, Map.of(), false))).containsExactly("s1", "my" + prefix + "2");
		assertThat(ids(name, new Filter(null, Map.of(), true))).containsExactly("s1", prefix + "1",
				"my" + prefix + "2");
	}

	@Test
	default void findsTheSessionsWithAnId() {
		SessionName name = newSession();
		store().create(Sessions.empty(Sessions.sibling(name, "s2")));
		store().create(Sessions.empty(Sessions.ofUser(name, "bob")));
		assertThat(keys(name, name.userId(), "s1")).containsExactly(name);
		assertThat(keys(name, null, "s1")).containsExactlyInAnyOrder(name, Sessions.ofUser(name, "bob"));
		assertThat(keys(name, null, "s2")).containsExactly(Sessions.sibling(name, "s2"));
		assertThat(keys(name, "bob", "s2")).isEmpty();
		assertThat(keys(name, null, "s3")).isEmpty();
	}

	@Test
	default void findsTheSessionsWithAnIdPageByPage() {
		SessionName name = newSession();
		store().create(Sessions.empty(Sessions.ofUser(name, "bob")));
		SessionQuery query = withId(name, null, "s1").limit(1);
		Page<Session> first = store().list(query);
		assertThat(first.more()).isTrue();
		Page<Session> second = store().list(query.after(query.position(first.last())));
		assertThat(second.more()).isFalse();
		assertThat(List.of(first.last().name(), second.last().name())).containsExactlyInAnyOrder(name,
				Sessions.ofUser(name, "bob"));
	}

	private List<SessionName> keys(SessionName name, @Nullable String userId, String sessionId) {
		return store().list(withId(name, userId, sessionId)).map(Session::name).items();
	}

	private static SessionQuery withId(SessionName name, @Nullable String userId, String sessionId) {
		return SessionQuery.of(new StateOwner(name.appName(), userId), SessionQuery.Order.USER, false, 10,
				new Filter(null, Map.of(), true, false, sessionId, null), true);
	}

	@Test
	default void fillsPagesWithMatchesOnly() {
		SessionName name = newSession();
		for (int number = 2; number <= 9; number++) {
			Map<String, String> labels = Map.of("even", Boolean.toString(number % 2 == 0));
			store().create(Sessions.called(Sessions.sibling(name, "s" + number), "", labels));
		}
		SessionQuery even = query(name, new Filter(null, Map.of("even", "true"), true), 4);
		assertThat(store().list(even).items()).hasSize(4);
		assertThat(store().list(even).more()).isFalse();
	}

	private List<String> ids(SessionName name, Filter filter) {
		return store().list(query(name, filter, 10)).map((session) -> session.name().sessionId()).items();
	}

	private static SessionQuery query(SessionName name, Filter filter, int limit) {
		return SessionQuery.of(name.user(), Order.USER, false, limit, filter, true);
	}

}
