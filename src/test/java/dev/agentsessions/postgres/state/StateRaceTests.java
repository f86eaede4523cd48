package dev.agentsessions.postgres.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.ForeignTransaction;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;

/** State is the fold of the history, whichever ways its writers go at the same time. */
class StateRaceTests extends PostgresStoreTest {

	private static final String SET = "{\"k\":1,\"user:k\":1,\"app:k\":1}";

	private static final String REMOVE = "{\"k\":%1$s,\"user:k\":%1$s,\"app:k\":%1$s}".formatted(Events.REMOVED);

	@Autowired
	private JdbcConnectionDetails server;

	@ParameterizedTest
	@EnumSource
	void removesKeysThatWereSetWhileItWaitedForTheSession(Way way) throws Exception {
		SessionName name = newSession();
		CompletableFuture<?> removal;
		try (ForeignTransaction other = ForeignTransaction.begin(this.server)) {
			other.lock(name);
			removal = Concurrently.start(() -> way.append(this.store, name, REMOVE));
			other.awaitWaiting(this.jdbc);
			other.execute("insert into state (scope_key, key, value) values (?, 'k', '1'), (?, 'k', '1')",
					StoredKey.of(this.jdbc, name), ScopeKey.of(name.app()));
			other.commit();
		}
		assertThat(removal.get(10, TimeUnit.SECONDS)).isNotNull();
		assertThat(stateOf(name)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5 })
	void leavesTheStateThatTheHistoryTells(int round) throws Exception {
		SessionName name = newSession();
		Way[] ways = Way.values();
		Concurrently.run(24,
				(number) -> ways[number % ways.length].append(this.store, name, (number % 2 == 0) ? SET : REMOVE));
		Event last = read(name).events().toList().get(23);
		assertThat(stateOf(name)).hasSize(last.body().text().contains("\"k\":1") ? 3 : 0);
	}

	/** The ways in which an event comes into a session that is there. */
	enum Way {

		GROUPED {
			@Override
			Object append(Stores store, SessionName name, String delta) {
				return store.append(name, Events.append(Events.delta(delta)));
			}
		},

		LARGE {
			@Override
			Object append(Stores store, SessionName name, String delta) {
				NewEvent event = Events
					.event("{\"filler\":\"%s\",\"actions\":{\"stateDelta\":%s}}".formatted("x".repeat(100_000), delta));
				return store.append(name, Events.append(event));
			}
		},

		WITH_DETAILS {
			@Override
			Object append(Stores store, SessionName name, String delta) {
				return store.append(name,
						new AppendRequest(Events.delta(delta), Precondition.NONE, new SessionDetails("Holiday", null)));
			}
		},

		BATCH {
			@Override
			Object append(Stores store, SessionName name, String delta) {
				return store.appendAll(name, List.of(Events.delta(delta)), Precondition.NONE);
			}
		};

		abstract Object append(Stores store, SessionName name, String delta);

	}

}
