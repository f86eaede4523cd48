package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.SessionProperties;
import dev.agentsessions.session.contract.InMemorySessionStore;
import dev.agentsessions.session.contract.OpenAccessPolicy;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.Creations;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.lifecycle.SessionServiceTests;
import dev.agentsessions.vertex.VertexSessionController.SessionFields;
import dev.agentsessions.vertex.VertexSessionController.SessionUpdate;
import dev.agentsessions.vertex.event.ClientLibrary;

class SessionUpdateTests {

	private final InMemorySessionStore store = new InMemorySessionStore();

	private final OpenAccessPolicy access = new OpenAccessPolicy("anybody");

	private final SessionService sessions = new SessionService(this.store, this.store,
			new Creations(this.store, this.store), this.access, SessionServiceTests.LIMITS, (name) -> {
			}, (action, details) -> {
			});

	private final EventService events = new EventService(this.store, this.store, new SessionProperties(false),
			this.access, SessionServiceTests.LIMITS, (name) -> {
			}, new ResponseHeap());

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
