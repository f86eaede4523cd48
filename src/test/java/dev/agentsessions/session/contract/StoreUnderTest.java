package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.function.Supplier;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.NewEvent;

/** The store that a contract is tried on, and what its tests do with it all the time. */
public interface StoreUnderTest {

	/** The store. */
	Stores store();

	/** A new, empty session. */
	default SessionName newSession() {
		return store().create(Sessions.empty(Sessions.newKey())).name();
	}

	/** A session that is there, with its whole history. */
	default Session read(SessionName name) {
		Session session = store().find(name, EventWindow.ALL).orElseThrow();
		return new Session(session.name(), session.state(), new EventStream(session.events().toList()),
				session.version(), session.createTime(), session.details(), null);
	}

	/** The merged state of a session that is there. */
	default Map<String, JsonText> stateOf(SessionName name) {
		return store().find(name, EventWindow.NONE).orElseThrow().state();
	}

	/** Appends an event that has to be stored. */
	default Event store(SessionName name, NewEvent event) {
		AppendResult result = store().append(name, Events.append(event));
		assertThat(result.persisted()).isTrue();
		assertThat(result.replayed()).isFalse();
		return new Event(result.version().revision(), result.lastUpdateTime(), event.id(), result.event());
	}

	/** The answer to an event that was stored before. */
	default AppendResult replay(SessionName name, Event event) {
		return new AppendResult(event.body(), read(name).version().at(event.seq(), event.commitTime()), true, true);
	}

	/** Does what is refused because there is no such session. */
	default void assertNotFound(ThrowingCallable action) {
		assertThatExceptionOfType(SessionException.NotFound.class).isThrownBy(action);
	}

	/** Appends what is refused because another event has the id. */
	default void assertConflict(String eventId, ThrowingCallable append) {
		assertThatExceptionOfType(SessionException.EventIdConflict.class).isThrownBy(append)
			.withMessageContaining("'" + eventId + "'");
	}

	/**
	 * Does what is refused because of its precondition.
	 * @param session the session as it is
	 * @param seen the revision that the caller has seen
	 */
	default void assertStale(Session session, long seen, ThrowingCallable action) {
		assertThatExceptionOfType(SessionException.Stale.class).isThrownBy(action).satisfies((stale) -> {
			assertThat(stale.version()).isEqualTo(session.version());
			assertThat(stale.lastUpdateTime()).isEqualTo(session.lastUpdateTime());
			assertThat(stale.seenRevision()).isEqualTo(seen);
		});
	}

	/** What a write is answered or refused with. */
	static Object outcome(Supplier<?> write) {
		try {
			return write.get();
		}
		catch (SessionException ex) {
			return ex;
		}
	}

	/** Appends so many events with the ids e1, e2, ... */
	default void storeMany(SessionName name, int count) {
		for (int number = 1; number <= count; number++) {
			store(name, Events.id("e" + number));
		}
	}

}
