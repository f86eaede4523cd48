package dev.agentsessions.watch;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPage;

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
	 * Reads a chunk of the events of a session that follow another event.
	 * @param birth the birth of the session
	 * @param seq the seq of the event before the chunk
	 * @return empty if this session is gone
	 * @throws SessionException.Unavailable if the store does not respond, or there is not
	 * enough memory for large events
	 */
	Optional<EventPage> following(UUID birth, long seq);

}
