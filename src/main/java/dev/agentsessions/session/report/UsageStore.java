package dev.agentsessions.session.report;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/** Reads what the events of sessions have spent. */
public interface UsageStore {

	/**
	 * Reads events, a bounded number for each call. Sessions come in the order of their
	 * ids, and the events of a session by seq. Expired sessions are left out, as are
	 * events that a fork has copied, unless the query names the session.
	 * @param isFull whether the caller wants no further events
	 * @param events gets each event in the range of the query
	 * @return how far it has read; empty if the query names a session that does not exist
	 * @throws SessionException.Unavailable if this session is deleted meanwhile
	 */
	Optional<End> read(UsageQuery query, BooleanSupplier isFull, Consumer<SpentEvent> events);

	/**
	 * Reads the events of a session that come directly before an event and belong to the
	 * same invocation, none if there are too many.
	 * @param seq the seq of the event
	 * @param invocationId the invocation of the event
	 * @return whether it has read all of them
	 * @throws SessionException.Unavailable if the session is deleted meanwhile
	 */
	boolean readBefore(SessionKey session, long seq, String invocationId, Consumer<SpentEvent> events);

	/**
	 * How far a call has read.
	 *
	 * @param position the last event that was read; {@code null} if there are no more
	 * @param sessions the number of sessions that were looked at
	 */
	record End(@Nullable UsagePosition position, long sessions) {

	}

}
