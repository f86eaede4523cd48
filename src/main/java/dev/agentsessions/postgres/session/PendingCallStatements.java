package dev.agentsessions.postgres.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventLinks.CallKey;
import dev.agentsessions.session.event.EventMarks;
import dev.agentsessions.session.event.EventMarks.OpenCall;

/**
 * Stores which function calls wait for an answer. A row has the event from which on a
 * call waits, and the event that closed it. So the table also has the calls that waited
 * at any earlier moment.
 */
@Component
public class PendingCallStatements {

	private static final String COLUMNS = "session_key, call_id, long_call_id, seq, since_seq, app_key, event_id, name, args, open_time";

	private static final String OPEN = "insert into pending_calls (" + COLUMNS + """
			) values (?, ?, ?, ?, ?, ?, ?, ?, ?::json, ?) on conflict do nothing
			""";

	private static final String CLOSE = """
			update pending_calls set closed_seq = ?
			where session_key = ? and call_id = any (?) and seq < ? and closed_seq is null
			""";

	/**
	 * After a rewind, those calls wait that waited right before the first event that it
	 * removes from the context. Only the difference is written, so a second rewind to the
	 * same event writes nothing.
	 */
	private static final String TAKE_BACK = """
			update pending_calls as call set closed_seq = ?
			where session_key = ? and closed_seq is null and not exists (
			  select from pending_calls as earlier
			  where earlier.session_key = ? and earlier.call_id = call.call_id and earlier.seq = call.seq
			    and earlier.since_seq < ? and (earlier.closed_seq is null or earlier.closed_seq >= ?))
			""";

	private static final String OPEN_AGAIN = "insert into pending_calls (" + COLUMNS
			+ """
					) select session_key, call_id, long_call_id, seq, ?, app_key, event_id, name, args, open_time from pending_calls as call
					where session_key = ? and since_seq < ? and closed_seq >= ? and closed_seq < ? and not exists (
					  select from pending_calls as waiting
					  where waiting.session_key = ? and waiting.call_id = call.call_id and waiting.seq = call.seq
					    and waiting.closed_seq is null)
					on conflict do nothing
					""";

	private static final String COPY = "insert into pending_calls (" + COLUMNS + """
			, closed_seq)
			select ?, call_id, long_call_id, seq, since_seq, app_key, event_id, name, args, open_time,
			  case when closed_seq <= ? then closed_seq end
			from pending_calls where session_key = ? and since_seq <= ?
			""";

	/** Reads no events, and returns nothing, if no call of the session ever waited. */
	private static final String FIRST_OF_INVOCATIONS = """
			select invocation_id, min(seq) as seq from events where session_key = ? and invocation_id = any (?)
			  and (? or exists (select from pending_calls where session_key = ?))
			group by invocation_id
			""";

	/** A statement opens at most this number of calls. */
	private static final int MAX_BATCH_CALLS = 500;

	private final JdbcTemplate jdbc;

	PendingCallStatements(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Stores which calls the events open, answer and take back, within the transaction
	 * that stores the events and has locked the row of the session.
	 * @param app the app of the session
	 * @param events the events in their order
	 */
	public void add(UUID sessionKey, StateOwner app, List<SequencedEvent> events) {
		Map<String, Long> first = firstOfRewound(sessionKey, events);
		for (SequencedEvent event : events) {
			EventMarks marks = event.event().marks();
			long firstBack = first.getOrDefault(String.valueOf(marks.rewindBefore()), Long.MAX_VALUE);
			if (marks.rewindBefore() == null) {
				close(sessionKey, event.seq(), marks.answered());
				open(sessionKey, ScopeKey.of(app), event, marks.opened());
			}
			else if (firstBack < event.seq()) {
				rewind(sessionKey, firstBack, event.seq());
			}
		}
	}

	private void open(UUID sessionKey, UUID appKey, SequencedEvent event, List<OpenCall> calls) {
		this.jdbc.batchUpdate(OPEN, calls, MAX_BATCH_CALLS,
				(statement, call) -> new StatementParameters(statement).addAll(sessionKey, CallKey.of(call.id()),
						CallKey.isLong(call.id()) ? call.id() : null, event.seq(), event.seq(), appKey,
						event.event().id(), call.name(), (call.args() != null) ? call.args().text() : null,
						event.commitTime()));
	}

	private void close(UUID sessionKey, long seq, List<String> calls) {
		if (!calls.isEmpty()) {
			this.jdbc.update(CLOSE,
					(statement) -> new StatementParameters(statement).addAll(seq, sessionKey)
						.addTexts(calls, (call) -> call)
						.add(seq));
		}
	}

	private void rewind(UUID sessionKey, long first, long seq) {
		this.jdbc.update(TAKE_BACK, seq, sessionKey, sessionKey, first, first);
		this.jdbc.update(OPEN_AGAIN, seq, sessionKey, first, first, seq, sessionKey);
	}

	private Map<String, Long> firstOfRewound(UUID sessionKey, List<SequencedEvent> events) {
		List<EventMarks> marks = events.stream().map((event) -> event.event().marks()).toList();
		List<String> invocations = marks.stream().map(EventMarks::rewindBefore).filter(Objects::nonNull).toList();
		Map<String, Long> first = new HashMap<>();
		if (!invocations.isEmpty()) {
			this.jdbc.query(FIRST_OF_INVOCATIONS,
					(statement) -> new StatementParameters(statement).add(sessionKey)
						.addTexts(invocations, (id) -> id)
						.add(marks.stream().anyMatch((each) -> !each.opened().isEmpty()))
						.add(sessionKey),
					(RowCallbackHandler) (row) -> first.put(row.getString("invocation_id"), row.getLong("seq")));
		}
		return first;
	}

	/** Copies the calls of a session as they were after one of its events. */
	public void copy(UUID source, UUID target, long seq) {
		this.jdbc.update(COPY, target, seq, source, seq);
	}

}
