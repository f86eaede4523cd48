package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.lifecycle.SessionService;

/**
 * Sessions of one id that several users create at once, and that have to be found by it.
 */
@PostgresTest
class LocatableRaceTests {

	private static final int PAIRS = 60;

	@Autowired
	private SessionService sessions;

	@Autowired
	private Stores store;

	@Test
	void createsOneOfTwoSessionsThatHaveTheSameId() throws Exception {
		for (int pair = 0; pair < PAIRS; pair++) {
			SessionName name = Sessions.newKey();
			List<Boolean> created = Concurrently.run(2,
					(number) -> createIfFree(Sessions.ofUser(name, "user" + number)));
			assertThat(created).containsExactlyInAnyOrder(true, false);
			assertThat(this.store.locate(name.appName(), name.sessionId())).hasSize(1);
		}
	}

	private boolean createIfFree(SessionName name) {
		try {
			this.sessions.createLocatable(Sessions.empty(name));
			return true;
		}
		catch (SessionException.AlreadyExists ex) {
			return false;
		}
	}

}
