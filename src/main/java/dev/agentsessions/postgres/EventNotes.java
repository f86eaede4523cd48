package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Notes what events mean beside their state, when they are stored: whichever way they
 * are, it comes through here, within the transaction that has the row of the session. So
 * reads need not look through a history for it.
 *
 * <p>
 * What is noted has to begin with the first event, and to leave out none. A session to
 * which an older version of the service has appended something is left to
 * {@link NotesCatchUp}.
 */
@Component
class EventNotes {

	private static final String IN_STEP = "select noted_seq = revision from sessions where session_key = ?";

	private static final String HAS_MARKS = """
			update sessions set has_marks = true where session_key = ? and not has_marks
			""";

	private static final String DELETE_MARKS = "delete from event_marks where session_key = ?";

	private static final String DELETE_CALLS = "delete from pending_calls where session_key = ?";

	private final JdbcTemplate jdbc;

	private final ContextResolver context;

	private final PendingStatements pending;

	EventNotes(JdbcTemplate jdbc, ContextResolver context, PendingStatements pending) {
		this.jdbc = jdbc;
		this.context = context;
		this.pending = pending;
	}

	/**
	 * Notes what events mean that have just been stored.
	 * @param events in their order, all of the session
	 */
	void add(UUID sessionKey, List<PlacedEvent> events) {
		List<MarkedEvent> marked = events.stream()
			.filter((placed) -> !placed.event().marks().isEmpty())
			.map(MarkedEvent::of)
			.toList();
		if (!marked.isEmpty() && Boolean.TRUE.equals(this.jdbc.queryForObject(IN_STEP, Boolean.class, sessionKey))) {
			note(sessionKey, marked);
		}
	}

	/** Notes what events mean behind which nothing is noted as yet. */
	void note(UUID sessionKey, List<MarkedEvent> marked) {
		if (this.jdbc.update(HAS_MARKS, sessionKey) > 0) {
			clear(sessionKey);
		}
		marked.forEach((event) -> note(sessionKey, event));
	}

	/**
	 * An older version of the service may have removed a session of this name, and left
	 * what it did not know of.
	 */
	private void clear(UUID sessionKey) {
		this.jdbc.update(DELETE_MARKS, sessionKey);
		this.jdbc.update(DELETE_CALLS, sessionKey);
	}

	private void note(UUID sessionKey, MarkedEvent event) {
		String rewindBefore = event.marks().rewindBefore();
		if (rewindBefore != null) {
			long first = this.context.firstOf(sessionKey, rewindBefore, event.seq());
			this.context.rewind(sessionKey, first, event.seq());
			this.pending.rewind(sessionKey, first, event.seq());
			return;
		}
		this.pending.close(sessionKey, event);
		this.pending.open(sessionKey, event);
		if (event.marks().compaction() != null) {
			this.context.compact(sessionKey, event.seq(), event.marks().compaction());
		}
	}

}
