package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;

/** Deleting sessions. */
interface DeleteContract extends StoreUnderTest {

	@Test
	default void deletesSessionWithItsEvents() {
		SessionKey key = newSession();
		store(key, Events.id("e1"));
		store().delete(key, Precondition.NONE);
		assertThat(store().find(key, EventWindow.ALL)).isEmpty();
		assertThat(store().event(key, "e1")).isEmpty();
		assertNotFound(() -> store().append(key, Events.append(Events.id("e2"))));
	}

	@Test
	default void deletesNothingElse() {
		SessionKey key = newSession();
		SessionKey sibling = Sessions.sibling(key, "s2");
		SessionKey stranger = Sessions.ofUser(key, "bob");
		store().create(Sessions.with(sibling, "{\"a\":1}", "{\"id\":\"e1\"}"));
		store().create(Sessions.with(stranger, "{\"a\":2}"));
		store().delete(key, Precondition.NONE);
		assertThat(read(sibling).events()).hasSize(1);
		assertThat(stateOf(sibling)).isEqualTo(Sessions.state("{\"a\":1}"));
		assertThat(stateOf(stranger)).isEqualTo(Sessions.state("{\"a\":2}"));
	}

	@Test
	default void keepsSharedState() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.with(key, "{\"a\":1,\"user:b\":2,\"app:c\":3}"));
		store().delete(key, Precondition.NONE);
		assertThat(store().state(key.user())).isEqualTo(Sessions.state("{\"b\":2}"));
		assertThat(store().state(key.app())).isEqualTo(Sessions.state("{\"c\":3}"));
	}

	@Test
	default void beginsAnewAfterwards() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.with(key, "{\"a\":1,\"user:b\":2}", "{\"id\":\"e1\"}"));
		store().delete(key, Precondition.NONE);
		Session again = store().create(Sessions.empty(key));
		assertThat(again.revision()).isZero();
		assertThat(again.events()).isEmpty();
		assertThat(again.state()).isEqualTo(Sessions.state("{\"user:b\":2}"));
		assertThat(store(key, Events.event("{\"id\":\"e1\",\"author\":\"other\"}")).seq()).isEqualTo(1);
	}

	@Test
	default void takesDeletionOfNothingForDone() {
		SessionKey missing = Sessions.newKey();
		store().delete(missing, Precondition.NONE);
		store().delete(missing, Precondition.NONE);
		assertThat(store().find(missing, EventWindow.ALL)).isEmpty();
	}

}
