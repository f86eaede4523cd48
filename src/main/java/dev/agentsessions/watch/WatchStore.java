package dev.agentsessions.watch;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import dev.agentsessions.session.EventPage;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/** What watches read. */
public interface WatchStore {

	/**
	 * Looks at many sessions with one query.
	 * @return those of them that are there
	 * @throws SessionException.Unavailable if the store does not answer
	 */
	Map<SessionKey, LiveSession> live(Collection<SessionKey> keys);

	/**
	 * Reads the events that follow another one, as many as make a piece.
	 * @param createTime when the session was created
	 * @return empty if this session is gone, whether or not another one has taken its
	 * place
	 * @throws SessionException.Unavailable if the store does not answer, or there is no
	 * memory for what is large
	 */
	Optional<EventPage> following(SessionKey key, Instant createTime, long seq);

}
