package dev.agentsessions.watch;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventPage;

/** What watches read. */
public interface WatchStore {

	/**
	 * Finds a session by its name; empty if there is none.
	 * @throws SessionException.Unavailable if the store does not answer
	 */
	Optional<LiveSession> find(SessionKey key);

	/**
	 * Looks at many sessions with one query.
	 * @param births which sessions
	 * @return those of them that are there
	 * @throws SessionException.Unavailable if the store does not answer
	 */
	Map<UUID, LiveSession> live(Collection<UUID> births);

	/**
	 * Reads the events of a session that follow another one, as many as make a piece.
	 * @param birth which session it is
	 * @return empty if this session is gone
	 * @throws SessionException.Unavailable if the store does not answer, or there is no
	 * memory for what is large
	 */
	Optional<EventPage> following(UUID birth, long seq);

}
