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
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** Listing sessions: what is left out. */
interface ListFilterContract extends StoreUnderTest {

	@Test
	default void filtersByDisplayName() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.called(key, "Holiday", Map.of()));
		store().create(Sessions.called(Sessions.sibling(key, "s2"), "holiday", Map.of()));
		store().create(Sessions.empty(Sessions.sibling(key, "s3")));
		assertThat(ids(key, new Filter("Holiday", Map.of(), true))).containsExactly("s1");
		assertThat(ids(key, new Filter("Holi", Map.of(), true))).isEmpty();
	}

	@Test
	default void filtersByAllOfSomeLabels() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.called(key, "", Map.of("a", "1", "b", "2", "c", "3")));
		store().create(Sessions.called(Sessions.sibling(key, "s2"), "", Map.of("a", "1", "b", "3")));
		store().create(Sessions.empty(Sessions.sibling(key, "s3")));
		assertThat(ids(key, new Filter(null, Map.of("a", "1"), true))).containsExactly("s1", "s2");
		assertThat(ids(key, new Filter(null, Map.of("a", "1", "b", "2"), true))).containsExactly("s1");
		assertThat(ids(key, new Filter(null, Map.of("A", "1"), true))).isEmpty();
		assertThat(ids(key, new Filter(null, Map.of("d", ""), true))).isEmpty();
	}

	@Test
	default void takesFiltersAsTextAndNotAsPatterns() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.called(key, "100%", Map.of("it's", "{\"a\":[1]}")));
		store().create(Sessions.called(Sessions.sibling(key, "s2"), "100 per cent", Map.of()));
		assertThat(ids(key, new Filter("100%", Map.of("it's", "{\"a\":[1]}"), true))).containsExactly("s1");
		assertThat(ids(key, new Filter("%", Map.of(), true))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ADK_EVAL_", "___eval___session___", "adk-eval-session-" })
	default void hidesEvaluationsUnlessAskedFor(String prefix) {
		SessionKey key = newSession();
		store().create(Sessions.empty(Sessions.sibling(key, prefix + "1")));
		store().create(Sessions.empty(Sessions.sibling(key, "my" + prefix + "2")));
		assertThat(ids(key, new Filter(null, Map.of(), false))).containsExactly("s1", "my" + prefix + "2");
		assertThat(ids(key, new Filter(null, Map.of(), true))).containsExactly("s1", prefix + "1", "my" + prefix + "2");
	}

	@Test
	default void findsTheSessionsWithAnId() {
		SessionKey key = newSession();
		store().create(Sessions.empty(Sessions.sibling(key, "s2")));
		store().create(Sessions.empty(Sessions.ofUser(key, "bob")));
		assertThat(keys(key, key.userId(), "s1")).containsExactly(key);
		assertThat(keys(key, null, "s1")).containsExactlyInAnyOrder(key, Sessions.ofUser(key, "bob"));
		assertThat(keys(key, null, "s2")).containsExactly(Sessions.sibling(key, "s2"));
		assertThat(keys(key, "bob", "s2")).isEmpty();
		assertThat(keys(key, null, "s3")).isEmpty();
	}

	@Test
	default void findsTheSessionsWithAnIdPageByPage() {
		SessionKey key = newSession();
		store().create(Sessions.empty(Sessions.ofUser(key, "bob")));
		SessionQuery query = withId(key, null, "s1").limit(1);
		Page<Session> first = store().list(query);
		assertThat(first.more()).isTrue();
		Page<Session> second = store().list(query.after(query.position(first.last())));
		assertThat(second.more()).isFalse();
		assertThat(List.of(first.last().key(), second.last().key())).containsExactlyInAnyOrder(key,
				Sessions.ofUser(key, "bob"));
	}

	private List<SessionKey> keys(SessionKey key, @Nullable String userId, String sessionId) {
		return store().list(withId(key, userId, sessionId)).map(Session::key).items();
	}

	private static SessionQuery withId(SessionKey key, @Nullable String userId, String sessionId) {
		return SessionQuery.of(new StateOwner(key.appName(), userId), SessionQuery.Order.USER, false, 10,
				new Filter(null, Map.of(), true, false, sessionId, null), true);
	}

	@Test
	default void fillsPagesWithMatchesOnly() {
		SessionKey key = newSession();
		for (int number = 2; number <= 9; number++) {
			Map<String, String> labels = Map.of("even", Boolean.toString(number % 2 == 0));
			store().create(Sessions.called(Sessions.sibling(key, "s" + number), "", labels));
		}
		SessionQuery even = query(key, new Filter(null, Map.of("even", "true"), true), 4);
		assertThat(store().list(even).items()).hasSize(4);
		assertThat(store().list(even).more()).isFalse();
	}

	private List<String> ids(SessionKey key, Filter filter) {
		return store().list(query(key, filter, 10)).map((session) -> session.key().sessionId()).items();
	}

	private static SessionQuery query(SessionKey key, Filter filter, int limit) {
		return SessionQuery.of(key.user(), Order.USER, false, limit, filter, true);
	}

}
