package dev.agentsessions.postgres.event;

import java.util.Optional;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.EventRepository;
import dev.agentsessions.postgres.session.PreconditionChecker;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.ResponseHeap;

/** Finds out why an append stored nothing, within a transaction of the caller. */
@Component
public class AppendDiagnosis {

	private final SessionRepository sessions;

	private final EventRepository events;

	private final PreconditionChecker preconditions;

	private final Transactions transactions;

	private final ResponseHeap memory;

	AppendDiagnosis(SessionRepository sessions, EventRepository events, PreconditionChecker preconditions,
			Transactions transactions, ResponseHeap memory) {
		this.sessions = sessions;
		this.events = events;
		this.preconditions = preconditions;
		this.transactions = transactions;
		this.memory = memory;
	}

	/**
	 * Takes memory for a stored event with the same id. Call it before {@link #diagnose},
	 * outside of a transaction, because it may wait.
	 */
	void takeMemory(QueuedAppend append) {
		this.transactions.statement(() -> this.events.size(append.sessionKey(), append.event().id()))
			.ifPresent(this.memory::take);
	}

	/**
	 * Looks up the session and the event again. Throws the reason for which the append is
	 * refused, unless an event with the same id is stored.
	 * @return the stored event; empty if there is no reason any more, so that a new
	 * attempt may succeed
	 */
	Optional<StoredEvent> diagnose(QueuedAppend append) {
		SessionEntity session = this.sessions.find(append.sessionKey()).orElseThrow(SessionException.NotFound::new);
		Optional<StoredEvent> stored = this.events.find(append.sessionKey(), append.event().id())
			.map((event) -> new StoredEvent(event.toEvent(), session.version()));
		if (stored.isEmpty()) {
			this.preconditions.checkAppend(session, append.precondition());
		}
		return stored;
	}

	/**
	 * An event that is stored already.
	 *
	 * @param event the event, with the id of the one to append
	 * @param version the current version of the session
	 */
	record StoredEvent(Event event, SessionVersion version) {
	}

}
