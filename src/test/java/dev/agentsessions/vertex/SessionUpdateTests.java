package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.SessionProperties;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.lifecycle.SessionServiceTests;
import dev.agentsessions.vertex.VertexSessionController.SessionFields;
import dev.agentsessions.vertex.VertexSessionController.SessionUpdate;
import dev.agentsessions.vertex.event.WireEvents.ClientLibrary;

@PostgresTest
class SessionUpdateTests {

	private final SessionService sessions;

	private final EventService events;

	SessionUpdateTests(Stores store) {
		this.sessions = store.sessions(SessionServiceTests.LIMITS, SessionServiceTests.NO_LISTENER);
		this.events = store.events(new SessionProperties(false), SessionServiceTests.LIMITS,
				SessionServiceTests.NO_LISTENER);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"displayName\":\"new\"}", "{\"sessionState\":{\"a\":1}}" })
	void changesNoSessionThatHasTakenTheNameMeanwhile(String body) {
		SessionName name = Sessions.newKey();
		Session read = this.sessions.create(Sessions.with(name, "{}")).session();
		this.sessions.delete(name, Precondition.NONE);
		Session other = this.sessions.create(Sessions.with(name, "{}")).session();
		SessionUpdate update = SessionUpdate
			.of(SessionFields.of(JsonObject.parse(body), new ClientLibrary("google-genai-sdk")), null);

		assertThatExceptionOfType(SessionException.Stale.class)
			.isThrownBy(() -> update.apply(this.sessions, this.events, read));

		assertThat(this.sessions.get(name, EventWindow.ALL).version()).isEqualTo(other.version());
	}

}
