package dev.agentsessions.watch;

import java.time.Instant;
import java.util.UUID;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessException;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.event.EventPoint;

/** Lets callers watch the sessions that they may read. */
@Service
public class WatchService {

	private final WatchStore store;

	private final AccessPolicy access;

	private final WatchRegistry registry;

	WatchService(WatchStore store, AccessPolicy access, WatchRegistry registry) {
		this.store = store;
		this.access = access;
		this.registry = registry;
	}

	/**
	 * Opens a watch, which shows nothing and costs nothing until it is started.
	 * @param birth the birth of the session that the caller knows; {@code null} for any
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
	public Watch open(SessionKey key, @Nullable UUID birth, @Nullable Long after, @Nullable String lastId) {
		this.access.check(Access.READ, key);
		Predicate<Instant> credentials = this.access.credentials();
		if (!credentials.test(Instant.now())) {
			throw new AccessException.Unauthenticated(
					"The token has expired; other requests accept it a little longer");
		}
		LiveSession session = this.store.find(key)
			.filter((found) -> birth == null || birth.equals(found.version().birth()))
			.orElseThrow(SessionException.NotFound::new);
		EventPoint point = point(session.version(), after, lastId);
		if (!this.registry.hasRoom()) {
			throw new SessionException.Unavailable(
					"Too many watches are open (agent-sessions.watch.max). Please retry.");
		}
		return new Watch(this.registry, key, session, point, credentials, this.access.secrets());
	}

	private static EventPoint point(SessionVersion version, @Nullable Long after, @Nullable String lastId) {
		EventPoint last = (lastId != null) ? EventPoint.parse("Last-Event-ID", version.birth(), lastId) : null;
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

}
