package dev.agentsessions.watch;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.watch.WatchService.Store.LiveSession;

/** Lets callers watch the sessions that they may read. */
@Service
public class WatchService {

	private final Store store;

	private final AccessPolicy access;

	private final WatchRegistry registry;

	WatchService(Store store, AccessPolicy access, WatchRegistry registry) {
		this.store = store;
		this.access = access;
		this.registry = registry;
	}

	/**
	 * Opens a watch, which shows nothing and costs nothing until it is started.
	 * @param sessionKey the key of the session that the caller knows; {@code null} for
	 * any
	 * @param after the watch shows the events after this seq; {@code null} for new events
	 * only
	 * @param lastId the id of the last message that the client has got, or its seq alone;
	 * takes precedence over {@code after}; {@code null} for none. If the session does not
	 * have this event any more, the watch ends when it is started
	 * @throws SessionException.NotFound if there is no such session, even if another one
	 * has its key now
	 * @throws SessionException.InvalidArgument if there is no such event
	 * @throws AccessException.Forbidden if the caller may not read the session
	 * @throws AccessException.Unauthenticated if the watch would end at once
	 * @throws SessionException.Unavailable if there are too many watches
	 */
	public Watch open(SessionName name, @Nullable UUID sessionKey, @Nullable Long after, @Nullable String lastId) {
		this.access.check(Access.READ, name);
		Predicate<Instant> credentials = this.access.credentials();
		if (!credentials.test(Instant.now())) {
			throw new AccessException.Unauthenticated(
					"The token has expired; other requests accept it a little longer");
		}
		LiveSession session = this.store.find(name)
			.filter((found) -> sessionKey == null || sessionKey.equals(found.version().sessionKey()))
			.orElseThrow(SessionException.NotFound::new);
		EventPoint point = point(session.version(), after, lastId);
		if (!this.registry.hasRoom()) {
			throw new SessionException.Unavailable(
					"Too many watches are open (agent-sessions.watch.max). Please retry.");
		}
		return new Watch(this.registry, name, session, point, credentials, this.access.secrets());
	}

	private static EventPoint point(SessionVersion version, @Nullable Long after, @Nullable String lastId) {
		EventPoint last = (lastId != null) ? EventPoint.parse("Last-Event-ID", version.sessionKey(), lastId) : null;
		if (last != null && last.commitTime() != null) {
			return last;
		}
		long seq = (last != null) ? last.seq() : (after != null) ? after : version.revision();
		if (seq < 0 || seq > version.revision()) {
			throw new SessionException.InvalidArgument("The seq to start after",
					"must be 0 or the seq of an existing event, at most " + version.revision());
		}
		return EventPoint.of(version, seq);
	}

	/** Reads sessions and their events for watches. */
	public interface Store {

		/**
		 * Finds a session by its key; empty if there is none.
		 * @throws SessionException.Unavailable if the store does not respond
		 */
		Optional<LiveSession> find(SessionName name);

		/**
		 * Reads many sessions with one query.
		 * @param sessions the names of the sessions by their keys
		 * @return each session by its key, empty if it is gone; without those whose store
		 * does not respond
		 * @throws SessionException.Unavailable if no store responds
		 */
		Map<UUID, Optional<LiveSession>> live(Map<UUID, SessionName> sessions);

		/**
		 * Reads a chunk of the events of a session that follow a point.
		 * @return empty if this session is gone
		 * @throws SessionException.HistoryChanged if it does not have the event of the
		 * point
		 * @throws SessionException.Unavailable if the store does not respond, or there is
		 * not enough memory for large events
		 */
		Optional<EventPage> following(SessionName name, EventPoint point);

		/**
		 * The values of an existing session that a watch compares.
		 *
		 * @param version the current version of the session
		 * @param expireTime its expiry, {@code null} if it does not expire
		 */
		record LiveSession(SessionVersion version, @Nullable Instant expireTime) {
		}

	}

}
