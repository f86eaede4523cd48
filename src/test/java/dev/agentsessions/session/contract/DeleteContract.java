package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;

/** Deleting sessions. */
interface DeleteContract extends StoreUnderTest {

	@Test
	default void deletesSessionWithItsEvents() {
		SessionName name = newSession();
		store(name, Events.id("e1"));
		store().delete(name, Precondition.NONE);
		assertThat(store().find(name, EventWindow.ALL)).isEmpty();
		assertThat(store().event(name, "e1")).isEmpty();
		assertNotFound(() -> store().append(name, Events.append(Events.id("e2"))));
	}

	@Test
	default void deletesNothingElse() {
		SessionName name = newSession();
		SessionName sibling = Sessions.sibling(name, "s2");
		SessionName stranger = Sessions.ofUser(name, "bob");
		store().create(Sessions.with(sibling, "{\"a\":1}", "{\"id\":\"e1\"}"));
		store().create(Sessions.with(stranger, "{\"a\":2}"));
		store().delete(name, Precondition.NONE);
		assertThat(read(sibling).events()).hasSize(1);
		assertThat(stateOf(sibling)).isEqualTo(Sessions.state("{\"a\":1}"));
		assertThat(stateOf(stranger)).isEqualTo(Sessions.state("{\"a\":2}"));
	}

	@Test
	default void keepsSharedState() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.with(name, "{\"a\":1,\"user:b\":2,\"app:c\":3}"));
		store().delete(name, Precondition.NONE);
		assertThat(store().state(name.user())).isEqualTo(Sessions.state("{\"b\":2}"));
		assertThat(store().state(name.app())).isEqualTo(Sessions.state("{\"c\":3}"));
	}

	@Test
	default void beginsAnewAfterwards() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.with(name, "{\"a\":1,\"user:b\":2}", "{\"id\":\"e1\"}"));
		store().delete(name, Precondition.NONE);
		Session again = store().create(Sessions.empty(name));
		assertThat(again.revision()).isZero();
		assertThat(again.events()).isEmpty();
		assertThat(again.state()).isEqualTo(Sessions.state("{\"user:b\":2}"));
		assertThat(store(name, Events.event("{\"id\":\"e1\",\"author\":\"other\"}")).seq()).isEqualTo(1);
	}

	@Test
	default void takesDeletionOfNothingForDone() {
		SessionName missing = Sessions.newKey();
		store().delete(missing, Precondition.NONE);
		store().delete(missing, Precondition.NONE);
		assertThat(store().find(missing, EventWindow.ALL)).isEmpty();
	}

}
