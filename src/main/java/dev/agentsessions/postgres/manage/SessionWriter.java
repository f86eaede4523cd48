package dev.agentsessions.postgres.manage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.append.EventWriter;
import dev.agentsessions.postgres.event.SequencedEvent;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.postgres.state.InitialStateStatements;
import dev.agentsessions.postgres.state.Scopes;
import dev.agentsessions.postgres.state.StateRepository;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateSizeLimit;
import dev.agentsessions.postgres.state.StateWriter;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.manage.CreateSession;
import dev.agentsessions.state.StateScope;

/**
 * Writes everything but appends, within a transaction of the caller. Like an append it
 * takes the row of the session first and rows of state afterwards.
 */
@Component
public class SessionWriter {

	private final SessionRepository sessions;

	private final StateRepository state;

	private final StateWriter stateWriter;

	private final EventWriter placedEvents;

	private final StateSizeLimit stateLimit;

	private final InitialStateStatements initialStates;

	private final SessionInsert insert;

	SessionWriter(SessionRepository sessions, StateRepository state, StateWriter stateWriter, EventWriter placedEvents,
			StateSizeLimit stateLimit, InitialStateStatements initialStates, SessionInsert insert) {
		this.sessions = sessions;
		this.state = state;
		this.stateWriter = stateWriter;
		this.placedEvents = placedEvents;
		this.stateLimit = stateLimit;
		this.initialStates = initialStates;
		this.insert = insert;
	}

	Session create(CreateSession request) {
		SessionRow session = SessionRow.of(request, this.sessions.now());
		this.insert.insert(session);
		List<SequencedEvent> events = sequenced(session, request.events());
		this.placedEvents.execute(session.sessionKey(), request.key().app(), events);
		this.initialStates.insert(session.sessionKey(), request.state().in(StateScope.SESSION));
		writeState(StateRow.of(request.key(), session.sessionKey(), request.delta()));
		Scopes scopes = new Scopes(ScopeKey.of(request.key().app()), ScopeKey.of(request.key().user()),
				session.sessionKey());
		Map<String, JsonText> state = this.state.read(scopes).merged(scopes);
		return session.toSession(state, new EventStream(events.stream().map(SequencedEvent::toEvent).toList()));
	}

	/**
	 * Creates a session that no other one of the app shares its id with, as long as all
	 * are created like that. Whoever creates one of the same id waits for the end of the
	 * transaction, and only then looks for it. A unique constraint would do it, too, but
	 * not where the table is distributed by the key of the session.
	 */
	Session createLocatable(CreateSession request) {
		SessionKey key = request.key();
		this.sessions.lock(ScopeKey.numberOfId(key));
		if (!this.sessions.find(ScopeKey.of(key.app()), key.sessionId(), Limit.of(1)).isEmpty()) {
			throw new SessionException.AlreadyExists(key.sessionId());
		}
		return create(request);
	}

	Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes) {
		writeState(StateRow.of(owner, changes));
		return this.state.read(owner);
	}

	/** The first events of a session, each committed a microsecond after the last. */
	private static List<SequencedEvent> sequenced(SessionRow session, List<NewEvent> events) {
		List<SequencedEvent> placed = new ArrayList<>();
		for (NewEvent event : events) {
			long seq = placed.size() + 1L;
			placed.add(new SequencedEvent(seq, session.commitTimeOf(seq), event));
		}
		return placed;
	}

	private void writeState(List<StateRow> rows) {
		Map<UUID, StateScope> due = this.stateLimit.count(rows);
		this.stateWriter.upsert(rows);
		this.stateLimit.check(due);
		this.stateWriter.remove(rows);
	}

}
