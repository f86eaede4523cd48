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
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.CreateSession.IdempotencyKey;
import dev.agentsessions.session.lifecycle.Creations.Store.CreationId;

/** Creating sessions. */
interface CreateContract extends StoreUnderTest {

	@Test
	default void answersWhatIsReadAfterwards() {
		SessionName name = Sessions.newKey();
		Session created = store().create(Sessions.with(name, """
				{"a":1,"user:b":2,"app:c":3}""", """
				{"id":"e1","author":"agent","actions":{"stateDelta":{"d":4}}}"""));
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(created);
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
		SessionName name = Sessions.newKey();
		store().create(Sessions.with(name, """
				{"a":1,"user:b":2,"app:c":3,"temp:d":4}"""));
		SessionName sibling = Sessions.sibling(name, "s2");
		SessionName stranger = Sessions.ofUser(name, "bob");
		store().create(Sessions.empty(sibling));
		store().create(Sessions.empty(stranger));
		assertThat(stateOf(name)).isEqualTo(Sessions.state("""
				{"a":1,"user:b":2,"app:c":3}"""));
		assertThat(stateOf(sibling)).isEqualTo(Sessions.state("""
				{"user:b":2,"app:c":3}"""));
		assertThat(stateOf(stranger)).isEqualTo(Sessions.state("""
				{"app:c":3}"""));
		assertThat(stateOf(newSession())).isEmpty();
	}

	@Test
	default void keepsInitialNullsAndSetsNothingForARemoval() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.with(name, """
				{"app:a":1,"app:b":2}"""));
		SessionName sibling = Sessions.sibling(name, "s2");
		store().create(Sessions.with(sibling, """
				{"app:a":null,"c":null,"app:b":%1$s,"user:d":%1$s,"e":%1$s}""".formatted(Events.REMOVED)));
		assertThat(stateOf(sibling)).isEqualTo(Sessions.state("""
				{"app:a":null,"app:b":2,"c":null}"""));
	}

	@Test
	default void keepsFirstEventsInTheirOrder() {
		SessionName name = Sessions.newKey();
		Session session = store().create(Sessions.with(name, "{}", """
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
		SessionName name = Sessions.newKey();
		store().create(Sessions.with(name, """
				{"a":1,"b":1,"app:c":1}""", """
				{"actions":{"stateDelta":{"a":2,"app:c":%s}}}""".formatted(Events.REMOVED), """
				{"actions":{"stateDelta":{"a":3,"user:d":4}}}"""));
		assertThat(stateOf(name)).isEqualTo(Sessions.state("""
				{"a":3,"b":1,"user:d":4}"""));
	}

	@Test
	default void doesNotKeepPartialFirstEvents() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.with(name, "{}", """
				{"id":"e1","partial":true,"actions":{"stateDelta":{"a":1}}}""", """
				{"id":"e2"}"""));
		assertThat(read(name).events()).extracting(Event::id).containsExactly("e2");
		assertThat(stateOf(name)).isEmpty();
	}

	@Test
	default void refusesKeyThatIsTakenAndChangesNothing() {
		SessionName name = Sessions.newKey();
		Session first = store().create(Sessions.with(name, """
				{"a":1,"app:b":1}""", """
				{"id":"e1"}"""));
		CreateSession second = Sessions.with(name, """
				{"a":2,"app:b":2,"user:c":2}""", """
				{"id":"e2"}""");
		assertThatExceptionOfType(SessionException.AlreadyExists.class).isThrownBy(() -> store().create(second))
			.withMessageContaining(name.sessionId());
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(first);
	}

	@Test
	default void keepsOneSessionIdForManyUsers() {
		SessionName name = Sessions.newKey();
		SessionName other = Sessions.ofUser(name, "bob");
		store().create(Sessions.with(name, """
				{"a":1}"""));
		store().create(Sessions.with(other, """
				{"a":2}"""));
		assertThat(stateOf(name)).isEqualTo(Sessions.state("{\"a\":1}"));
		assertThat(stateOf(other)).isEqualTo(Sessions.state("{\"a\":2}"));
	}

	@Test
	default void acceptsLongNamesOfAnyScript() {
		String longest = Sessions.longName();
		SessionName name = Sessions.newKey();
		assertThat(createAndRead(Sessions.sibling(name, longest))).isTrue();
		assertThat(createAndRead(Sessions.ofUser(name, longest))).isTrue();
		assertThat(createAndRead(new SessionName(longest, "alice", "s1"))).isTrue();
		assertThat(createAndRead(new SessionName(longest, longest, longest))).isTrue();
	}

	private boolean createAndRead(SessionName name) {
		store().create(Sessions.empty(name));
		Event event = store(name, Events.id(Sessions.longName()));
		return read(name).name().equals(name) && read(name).events().toList().equals(List.of(event));
	}

	@Test
	default void findsTheSessionOfACreation() {
		SessionName name = Sessions.newKey();
		CreationId creation = creation("k", "{\"a\":1}");
		assertThat(store().find(name, creation)).isEmpty();
		CreateSession empty = Sessions.empty(name);
		Session session = store()
			.create(new CreateSession(name, empty.state(), empty.events(), empty.details(), creation));
		assertThat(store().find(name, creation("k", "{ \"a\": 1.0 }"))).hasValue(session.sessionKey());
		assertThat(store().find(name, creation("other", "{\"a\":1}"))).isEmpty();
		assertThatExceptionOfType(SessionException.AlreadyExists.class)
			.isThrownBy(() -> store().find(name, creation("k", "{\"a\":2}")))
			.withMessageContaining("not with the same content");
		store().delete(name, Precondition.NONE);
		assertThat(store().find(name, creation)).isEmpty();
		store().create(empty);
		assertThat(store().find(name, creation)).isEmpty();
	}

	private static CreationId creation(String key, String content) {
		return new IdempotencyKey(key).creation(JsonObject.parse(content));
	}

	@Test
	default void keepsDetails() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.called(name, "Holiday", Map.of("topic", "travel")));
		assertThat(read(name).details()).isEqualTo(new SessionDetails("Holiday", Map.of("topic", "travel")));
	}

}
