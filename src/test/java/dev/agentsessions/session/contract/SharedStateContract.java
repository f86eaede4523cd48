package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;

/** State without a session, and the names of apps. */
interface SharedStateContract extends StoreUnderTest {

	@Test
	default void holdsNothingOfNobody() {
		assertThat(store().state(Sessions.newKey().app())).isEmpty();
		assertThat(store().state(Sessions.newKey().user())).isEmpty();
	}

	@Test
	default void mergesChangesKeyByKey() {
		StateOwner app = Sessions.newKey().app();
		store().changeState(app, Sessions.state("{\"a\":1,\"b\":{\"x\":1},\"c\":1}"));
		Map<?, ?> changed = store().changeState(app,
				Sessions.state("{\"b\":{\"y\":2},\"c\":%1$s,\"d\":%1$s,\"e\":5,\"f\":null}".formatted(Events.REMOVED)));
		assertThat(changed).isEqualTo(Sessions.state("{\"a\":1,\"b\":{\"y\":2},\"e\":5,\"f\":null}"));
		assertThat(store().state(app)).isEqualTo(changed);
	}

	@Test
	default void changesNothingWithoutChanges() {
		StateOwner app = Sessions.newKey().app();
		store().changeState(app, Sessions.state("{\"a\":1}"));
		assertThat(store().changeState(app, Map.of())).isEqualTo(Sessions.state("{\"a\":1}"));
	}

	@Test
	default void tellsOwnersApart() {
		SessionName name = Sessions.newKey();
		store().changeState(name.app(), Sessions.state("{\"a\":1}"));
		store().changeState(name.user(), Sessions.state("{\"a\":2}"));
		store().changeState(Sessions.ofUser(name, "bob").user(), Sessions.state("{\"a\":3}"));
		assertThat(store().state(name.app())).isEqualTo(Sessions.state("{\"a\":1}"));
		assertThat(store().state(name.user())).isEqualTo(Sessions.state("{\"a\":2}"));
		assertThat(store().state(Sessions.newKey().app())).isEmpty();
	}

	@Test
	default void sharesOneStateWithSessions() {
		SessionName name = newSession();
		store(name, Events.delta("{\"user:a\":1,\"app:b\":1}"));
		assertThat(store().state(name.user())).isEqualTo(Sessions.state("{\"a\":1}"));
		store().changeState(name.user(), Sessions.state("{\"a\":2}"));
		store().changeState(name.app(), Sessions.state("{\"b\":" + Events.REMOVED + "}"));
		assertThat(stateOf(name)).isEqualTo(Sessions.state("{\"user:a\":2}"));
	}

	@Test
	default void leavesRevisionAndTimeOfSessionsAlone() {
		SessionName name = newSession();
		Session before = read(name);
		store().changeState(name.app(), Sessions.state("{\"a\":1}"));
		assertThat(read(name)).usingRecursiveComparison().ignoringFields("state").isEqualTo(before);
	}

	@Test
	default void namesAppsThatHaveASession() {
		String prefix = Sessions.newApp();
		for (String name : List.of("\ud83d\ude00", "\uffee", "b", "B", "a")) {
			store().create(Sessions.empty(new SessionName(prefix + name, "alice", "s1")));
		}
		store().create(Sessions.empty(new SessionName(prefix + "a", "bob", "s1")));
		store().changeState(new StateOwner(prefix + "c", null), Sessions.state("{\"a\":1}"));
		store().create(Sessions.empty(new SessionName(prefix + "d", "alice", "s1")));
		store().delete(new SessionName(prefix + "d", "alice", "s1"), Precondition.NONE);
		assertThat(store().appNames()).filteredOn((name) -> name.startsWith(prefix))
			.containsExactly(prefix + "B", prefix + "a", prefix + "b", prefix + "\uffee", prefix + "\ud83d\ude00");
	}

}
