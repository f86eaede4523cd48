package dev.agentsessions.postgres.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.function.BiConsumer;

import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException.TooLarge;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.NewEvent;

/** What would make a state too large is refused, and what fits is not. */
@TestPropertySource(properties = "agent-sessions.limits.state-size=16KB")
class StateSizeLimitTests extends PostgresStoreTest {

	@Test
	void acceptsALargeValueInPlaceOfAnother() {
		SessionName name = newSession();
		for (int round = 0; round < 5; round++) {
			store(name, setting("app:a", 9000));
		}
		assertThat(this.store.changeState(name.app(), Sessions.state(value("a", 9000)))).hasSize(1);
	}

	@Test
	void refusesOnEveryWayWhatIsTooMuchAndChangesNothing() {
		SessionName session = newSession();
		store(session, setting("app:a", 9000));
		List<BiConsumer<String, Integer>> ways = List.of(
				(name, size) -> this.store.append(session, Events.append(setting("app:" + name, size))),
				(name, size) -> this.store.appendAll(session, List.of(setting("app:" + name, size)), Precondition.NONE),
				(name, size) -> this.store.changeState(session.app(), Sessions.state(value(name, size))),
				(name, size) -> this.store
					.create(Sessions.with(Sessions.sibling(session, "s2"), value("app:" + name, size))));
		assertThat(ways)
			.allSatisfy((way) -> assertThatExceptionOfType(TooLarge.class).isThrownBy(() -> way.accept("b", 12_000))
				.withMessageStartingWith("The state of the app has more than 16384 bytes"));
		assertThat(this.store.state(session.app())).containsOnlyKeys("a");
		assertThat(read(session).revision()).isEqualTo(1);
		ways.get(0).accept("small", 500);
		ways.get(2).accept("c", 5000);
	}

	@Test
	void refusesManySmallChangesOnceATenthOverTheLimit() {
		SessionName name = newSession();
		assertThatExceptionOfType(TooLarge.class).isThrownBy(() -> {
			for (int number = 0; number < 100; number++) {
				store(name, setting("k" + number, 500));
			}
		}).withMessageStartingWith("The state of the session");
		int stored = (int) read(name).revision();
		assertThat(stored * 500).isBetween(14_000, 18_500);
		store(name, Events.delta(
				"{\"k0\":%1$s,\"k1\":%1$s,\"k2\":%1$s,\"k3\":%1$s,\"k4\":%1$s,\"k5\":%1$s}".formatted(Events.REMOVED)));
		store(name, setting("again", 500));
	}

	@Test
	void answersRetriesHoweverFullTheStateIs() {
		SessionName name = newSession();
		NewEvent event = setting("a", 15_000);
		store(name, event);
		assertThat(this.store.append(name, Events.append(event)).replayed()).isTrue();
		assertThat(this.store.appendAll(name, List.of(event), Precondition.NONE).replayed()).isTrue();
	}

	private static NewEvent setting(String key, int size) {
		return Events.delta(value(key, size));
	}

	private static String value(String key, int size) {
		return "{\"%s\":\"%s\"}".formatted(key, "x".repeat(size));
	}

}
