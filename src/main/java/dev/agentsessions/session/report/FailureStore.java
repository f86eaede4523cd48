package dev.agentsessions.session.report;

import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventCondition;

/** Reads events that report an error. */
public interface FailureStore {

	/**
	 * Reads the failed events of some sessions, a bounded number for each call: session
	 * by session, the newest event first.
	 * @param condition between which times the events were stored; the rest is ignored
	 * @param events gets each event
	 * @return what is left of the sessions
	 */
	List<Slice> read(List<Slice> sessions, EventCondition condition, Consumer<FailedEvent> events);

	/**
	 * Events of a session that follow each other.
	 *
	 * @param session the key of the session
	 * @param birth the birth of the session
	 * @param after the seq of the event before the first one
	 * @param upTo the seq of the last one
	 */
	record Slice(SessionKey session, UUID birth, long after, long upTo) {

		/** Returns the events before a seq. */
		public Slice before(long seq) {
			return new Slice(this.session, this.birth, this.after, seq - 1);
		}

	}

}
