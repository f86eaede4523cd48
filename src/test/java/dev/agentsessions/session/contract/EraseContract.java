package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.SessionService.Erasure;

/** Erasing users. */
interface EraseContract extends StoreUnderTest {

	@Test
	default void erasesSessionsEventsAndStateOfAUser() {
		SessionName name = Sessions.newKey();
		SessionName sibling = Sessions.sibling(name, "s2");
		store()
			.create(Sessions.with(name, "{\"a\":1,\"user:b\":2,\"user:c\":3}", "{\"id\":\"e1\"}", "{\"id\":\"e2\"}"));
		store().create(Sessions.with(sibling, "{\"a\":1}", "{\"id\":\"e1\"}"));
		assertThat(store().erase(name.user())).isEqualTo(new Erasure(2, 3, 2));
		assertThat(store().find(name, EventWindow.NONE)).isEmpty();
		assertThat(store().event(sibling, "e1")).isEmpty();
		assertThat(store().state(name.user())).isEmpty();
		assertNotFound(() -> store().append(name, Events.append(Events.id("e3"))));
	}

	@Test
	default void erasesNothingOfOthers() {
		SessionName name = Sessions.newKey();
		SessionName stranger = Sessions.ofUser(name, "bob");
		SessionName elsewhere = Sessions.newKey();
		store().create(Sessions.with(name, "{\"app:a\":1}"));
		store().create(Sessions.with(stranger, "{\"b\":1,\"user:c\":1}", "{\"id\":\"e1\"}"));
		store().create(Sessions.with(elsewhere, "{\"user:d\":1}"));
		store().erase(name.user());
		assertThat(read(stranger).events()).hasSize(1);
		assertThat(stateOf(stranger)).isEqualTo(Sessions.state("{\"b\":1,\"app:a\":1,\"user:c\":1}"));
		assertThat(stateOf(elsewhere)).isEqualTo(Sessions.state("{\"user:d\":1}"));
	}

	@Test
	default void erasesWhatHasExpired() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.until(name, Instant.now().minusSeconds(1)));
		assertThat(store().erase(name.user())).isEqualTo(new Erasure(1, 0, 0));
	}

	@Test
	default void secondErasureFindsNothing() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.with(name, "{\"a\":1,\"user:b\":2}", "{\"id\":\"e1\"}"));
		store().erase(name.user());
		assertThat(store().erase(name.user())).isEqualTo(Erasure.NOTHING);
		Session again = store().create(Sessions.empty(name));
		assertThat(again.state()).isEmpty();
		assertThat(again.events()).isEmpty();
	}

}
