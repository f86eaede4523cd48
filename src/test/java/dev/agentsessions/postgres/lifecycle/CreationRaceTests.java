package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.StoreUnderTest;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.CreateSession.IdempotencyKey;
import dev.agentsessions.session.lifecycle.Creations.CreatedSession;
import dev.agentsessions.session.lifecycle.SessionService;

/** Other clients delete and replace a session while its creation is repeated. */
@PostgresTest
class CreationRaceTests {

	private static final int STATEMENTS = 14;

	@Autowired
	private SessionService sessions;

	@Autowired
	private Stores store;

	@Test
	void neverReturnsTheSessionOfAnotherCreation() {
		for (int statement = 1; statement <= STATEMENTS; statement++) {
			CreateSession request = request(Sessions.newKey());
			UUID sessionKey = this.sessions.create(request).session().sessionKey();
			Object outcome = before(statement, () -> replace(request.name()), request);
			assertThat(outcome).as("replaced before statement %d", statement)
				.satisfiesAnyOf((refused) -> assertThat(refused).isInstanceOf(SessionException.AlreadyExists.class),
						(created) -> assertThat(((CreatedSession) created).session().sessionKey().equals(sessionKey))
							.isEqualTo(((CreatedSession) created).replayed()));
			assertThat(this.store.find(request.name(), EventWindow.NONE)).isPresent();
		}
	}

	private static CreateSession request(SessionName name) {
		CreateSession empty = Sessions.empty(name);
		return new CreateSession(name, empty.state(), empty.events(), empty.details(),
				new IdempotencyKey("k").creation(JsonObject.parse("{}")));
	}

	private void replace(SessionName name) {
		this.store.delete(name, Precondition.NONE);
		this.store.create(Sessions.empty(name));
	}

	private Object before(int number, Runnable task, CreateSession request) {
		AtomicInteger count = new AtomicInteger();
		return StatementRecorder.callBeforeEach(() -> {
			if (count.incrementAndGet() == number) {
				Concurrently.start(() -> {
					task.run();
					return true;
				}).join();
			}
		}, () -> StoreUnderTest.outcome(() -> this.sessions.create(request)));
	}

}
