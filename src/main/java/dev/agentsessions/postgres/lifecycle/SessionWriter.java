package dev.agentsessions.postgres.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.event.EventWriter;
import dev.agentsessions.postgres.session.SequencedEvent;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.postgres.state.Scopes;
import dev.agentsessions.postgres.state.StateRepository;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.postgres.state.StateSizeLimit;
import dev.agentsessions.postgres.state.StateWriter;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.state.StateScope;

/**
 * Creates sessions and changes shared state, within a transaction of the caller. Like an
 * append, it locks the row of the session first and rows of state after it.
 */
@Component
public class SessionWriter {

	private final SessionRepository sessions;

	private final StateRepository state;

	private final StateWriter stateWriter;

	private final EventWriter eventWriter;

	private final StateSizeLimit stateLimit;

	private final SessionInsert insert;

	private final ResponseHeap memory;

	SessionWriter(SessionRepository sessions, StateRepository state, StateWriter stateWriter, EventWriter eventWriter,
			StateSizeLimit stateLimit, SessionInsert insert, ResponseHeap memory) {
		this.sessions = sessions;
		this.state = state;
		this.stateWriter = stateWriter;
		this.eventWriter = eventWriter;
		this.stateLimit = stateLimit;
		this.insert = insert;
		this.memory = memory;
	}

	/**
	 * Creates a session with its first events and its state.
	 * @throws SessionException.AlreadyExists if there is a session with its name
	 */
	Session create(CreateSession request) {
		SessionRow session = SessionRow.of(request, this.sessions.now());
		this.insert.insert(session);
		List<SequencedEvent> events = sequenced(session, request.events());
		this.eventWriter.execute(session.sessionKey(), request.name().app(), events);
		this.stateWriter.insertInitial(session.sessionKey(), request.state().in(StateScope.SESSION));
		writeState(StateRow.of(request.name(), session.sessionKey(), request.delta()));
		Scopes scopes = Scopes.of(request.name(), session.sessionKey());
		Map<String, JsonText> state = counted(this.state.read(scopes).merged(scopes));
		return session.toSession(state, new EventStream(events.stream().map(SequencedEvent::toEvent).toList()));
	}

	/**
	 * Creates a session whose id is unique in the app, if all sessions of the app are
	 * created in this way. A concurrent creation with the same id waits for the end of
	 * this transaction before it looks up the id. A unique constraint would not work
	 * where the table is distributed by the key of the session.
	 */
	Session createLocatable(CreateSession request) {
		SessionName name = request.name();
		this.sessions.lock(ScopeKey.numberOfId(name));
		if (!this.sessions.find(ScopeKey.of(name.app()), name.sessionId(), Limit.of(1)).isEmpty()) {
			throw new SessionException.AlreadyExists(name.sessionId());
		}
		return create(request);
	}

	/** Changes shared state, and returns all of it. */
	Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes) {
		writeState(StateRow.of(owner, changes));
		return counted(this.state.read(owner));
	}

	/** Shared state may be large, whatever the client has sent. */
	private Map<String, JsonText> counted(Map<String, JsonText> state) {
		this.memory.count(JsonText.size(state));
		return state;
	}

	/**
	 * Returns the first events of a session. The commit time of each is one microsecond
	 * after that of the event before.
	 */
	private static List<SequencedEvent> sequenced(SessionRow session, List<NewEvent> events) {
		List<SequencedEvent> result = new ArrayList<>();
		for (NewEvent event : events) {
			long seq = result.size() + 1L;
			result.add(new SequencedEvent(seq, session.commitTimeOf(seq), event));
		}
		return result;
	}

	private void writeState(List<StateRow> rows) {
		Map<UUID, StateScope> due = this.stateLimit.count(rows);
		this.stateWriter.upsert(rows);
		this.stateLimit.check(due);
		this.stateWriter.remove(rows);
	}

}
