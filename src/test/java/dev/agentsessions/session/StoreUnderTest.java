package dev.agentsessions.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import dev.agentsessions.json.JsonText;

/** The store that a contract is tried on, and what its tests do with it all the time. */
public interface StoreUnderTest {

	/** The store. */
	SessionStore store();

	/** A new, empty session. */
	default SessionKey newSession() {
		return store().create(Sessions.empty(Sessions.newKey())).key();
	}

	/** A session that is there, with its whole history. */
	default Session read(SessionKey key) {
		Session session = store().find(key, EventWindow.ALL).orElseThrow();
		return new Session(session.key(), session.state(), new History(session.events().toList()), session.version(),
				session.lastUpdateTime(), session.details());
	}

	/** The merged state of a session that is there. */
	default Map<String, JsonText> stateOf(SessionKey key) {
		return store().find(key, EventWindow.NONE).orElseThrow().state();
	}

	/** Appends an event that has to be stored. */
	default Event store(SessionKey key, NewEvent event) {
		AppendOutcome outcome = store().append(key, Events.append(event));
		assertThat(outcome).isInstanceOf(AppendOutcome.Stored.class);
		return ((AppendOutcome.Stored) outcome).event();
	}

	/** The answer to an event that was stored before. */
	default AppendOutcome.Replayed replay(SessionKey key, Event event) {
		return new AppendOutcome.Replayed(event, read(key).version().at(event.seq()));
	}

	/** Appends so many events with the ids e1, e2, ... */
	default void storeMany(SessionKey key, int count) {
		for (int number = 1; number <= count; number++) {
			store(key, Events.id("e" + number));
		}
	}

}
