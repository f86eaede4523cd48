package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.CreationStore.CreationId;
import dev.agentsessions.session.lifecycle.IdempotencyKey;

/** Creating sessions. */
interface CreateContract extends StoreUnderTest {

	@Test
	default void answersWhatIsReadAfterwards() {
		SessionKey key = Sessions.newKey();
		Session created = store().create(Sessions.with(key, """
				{"a":1,"user:b":2,"app:c":3}""", """
				{"id":"e1","author":"agent","actions":{"stateDelta":{"d":4}}}"""));
		assertThat(read(key)).usingRecursiveComparison().isEqualTo(created);
	}

	@Test
	default void beginsAtRevisionZero() {
		Session session = store().create(Sessions.empty(Sessions.newKey()));
		assertThat(session.revision()).isZero();
		assertThat(session.events()).isEmpty();
		assertThat(session.state()).isEmpty();
		assertThat(session.lastUpdateTime()).isEqualTo(session.createTime());
		assertThat(session.createTime()).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
	}

	@Test
	default void splitsInitialStateByScope() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.with(key, """
				{"a":1,"user:b":2,"app:c":3,"temp:d":4}"""));
		SessionKey sibling = Sessions.sibling(key, "s2");
		SessionKey stranger = Sessions.ofUser(key, "bob");
		store().create(Sessions.empty(sibling));
		store().create(Sessions.empty(stranger));
		assertThat(stateOf(key)).isEqualTo(Sessions.state("""
				{"a":1,"user:b":2,"app:c":3}"""));
		assertThat(stateOf(sibling)).isEqualTo(Sessions.state("""
				{"user:b":2,"app:c":3}"""));
		assertThat(stateOf(stranger)).isEqualTo(Sessions.state("""
				{"app:c":3}"""));
		assertThat(stateOf(newSession())).isEmpty();
	}

	@Test
	default void keepsInitialNullsAndSetsNothingForARemoval() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.with(key, """
				{"app:a":1,"app:b":2}"""));
		SessionKey sibling = Sessions.sibling(key, "s2");
		store().create(Sessions.with(sibling, """
				{"app:a":null,"c":null,"app:b":%1$s,"user:d":%1$s,"e":%1$s}""".formatted(Events.REMOVED)));
		assertThat(stateOf(sibling)).isEqualTo(Sessions.state("""
				{"app:a":null,"app:b":2,"c":null}"""));
	}

	@Test
	default void keepsFirstEventsInTheirOrder() {
		SessionKey key = Sessions.newKey();
		Session session = store().create(Sessions.with(key, "{}", """
				{"id":"e1","timestamp":2000000000}""", """
				{"id":"e2","timestamp":1000000000}""", """
				{"id":"e3"}"""));
		assertThat(session.revision()).isEqualTo(3);
		assertThat(session.events()).extracting(Event::id).containsExactly("e1", "e2", "e3");
		assertThat(session.events()).extracting(Event::seq).containsExactly(1L, 2L, 3L);
		assertThat(session.events()).extracting(Event::commitTime)
			.isSorted()
			.doesNotHaveDuplicates()
			.allMatch((time) -> time.isAfter(session.createTime()))
			.endsWith(session.lastUpdateTime());
	}

	@Test
	default void appliesDeltasOfFirstEventsToInitialState() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.with(key, """
				{"a":1,"b":1,"app:c":1}""", """
				{"actions":{"stateDelta":{"a":2,"app:c":%s}}}""".formatted(Events.REMOVED), """
				{"actions":{"stateDelta":{"a":3,"user:d":4}}}"""));
		assertThat(stateOf(key)).isEqualTo(Sessions.state("""
				{"a":3,"b":1,"user:d":4}"""));
	}

	@Test
	default void doesNotKeepPartialFirstEvents() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.with(key, "{}", """
				{"id":"e1","partial":true,"actions":{"stateDelta":{"a":1}}}""", """
				{"id":"e2"}"""));
		assertThat(read(key).events()).extracting(Event::id).containsExactly("e2");
		assertThat(stateOf(key)).isEmpty();
	}

	@Test
	default void refusesKeyThatIsTakenAndChangesNothing() {
		SessionKey key = Sessions.newKey();
		Session first = store().create(Sessions.with(key, """
				{"a":1,"app:b":1}""", """
				{"id":"e1"}"""));
		CreateSession second = Sessions.with(key, """
				{"a":2,"app:b":2,"user:c":2}""", """
				{"id":"e2"}""");
		assertThatExceptionOfType(SessionException.AlreadyExists.class).isThrownBy(() -> store().create(second))
			.withMessageContaining(key.sessionId());
		assertThat(read(key)).usingRecursiveComparison().isEqualTo(first);
	}

	@Test
	default void keepsOneSessionIdForManyUsers() {
		SessionKey key = Sessions.newKey();
		SessionKey other = Sessions.ofUser(key, "bob");
		store().create(Sessions.with(key, """
				{"a":1}"""));
		store().create(Sessions.with(other, """
				{"a":2}"""));
		assertThat(stateOf(key)).isEqualTo(Sessions.state("{\"a\":1}"));
		assertThat(stateOf(other)).isEqualTo(Sessions.state("{\"a\":2}"));
	}

	@Test
	default void acceptsLongNamesOfAnyScript() {
		String longest = Sessions.longName();
		SessionKey key = Sessions.newKey();
		assertThat(createAndRead(Sessions.sibling(key, longest))).isTrue();
		assertThat(createAndRead(Sessions.ofUser(key, longest))).isTrue();
		assertThat(createAndRead(new SessionKey(longest, "alice", "s1"))).isTrue();
		assertThat(createAndRead(new SessionKey(longest, longest, longest))).isTrue();
	}

	private boolean createAndRead(SessionKey key) {
		store().create(Sessions.empty(key));
		Event event = store(key, Events.id(Sessions.longName()));
		return read(key).key().equals(key) && read(key).events().toList().equals(List.of(event));
	}

	@Test
	default void findsTheSessionOfACreation() {
		SessionKey key = Sessions.newKey();
		CreationId creation = creation("k", "{\"a\":1}");
		assertThat(store().find(key, creation)).isEmpty();
		CreateSession empty = Sessions.empty(key);
		Session session = store()
			.create(new CreateSession(key, empty.state(), empty.events(), empty.details(), creation));
		assertThat(store().find(key, creation("k", "{ \"a\": 1.0 }"))).hasValue(session.birth());
		assertThat(store().find(key, creation("other", "{\"a\":1}"))).isEmpty();
		assertThatExceptionOfType(SessionException.AlreadyExists.class)
			.isThrownBy(() -> store().find(key, creation("k", "{\"a\":2}")))
			.withMessageContaining("not with the same content");
		store().delete(key, Precondition.NONE);
		assertThat(store().find(key, creation)).isEmpty();
		store().create(empty);
		assertThat(store().find(key, creation)).isEmpty();
	}

	private static CreationId creation(String key, String content) {
		return new IdempotencyKey(key).creation(JsonObject.parse(content));
	}

	@Test
	default void keepsDetails() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.called(key, "Holiday", Map.of("topic", "travel")));
		assertThat(read(key).details()).isEqualTo(new SessionDetails("Holiday", Map.of("topic", "travel")));
	}

}
