package dev.agentsessions.watch;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventPoint;

/** Reads sessions and their events for watches. */
public interface WatchStore {

	/**
	 * Finds a session by its key; empty if there is none.
	 * @throws SessionException.Unavailable if the store does not respond
	 */
	Optional<LiveSession> find(SessionKey key);

	/**
	 * Reads many sessions with one query.
	 * @param births the births of the sessions
	 * @return those sessions that exist, by birth
	 * @throws SessionException.Unavailable if the store does not respond
	 */
	Map<UUID, LiveSession> live(Collection<UUID> births);

	/**
	 * Reads a chunk of the events of a session that follow a point.
	 * @return empty if this session is gone
	 * @throws SessionException.HistoryChanged if it does not have the event of the point
	 * @throws SessionException.Unavailable if the store does not respond, or there is not
	 * enough memory for large events
	 */
	Optional<EventPage> following(EventPoint point);

}
