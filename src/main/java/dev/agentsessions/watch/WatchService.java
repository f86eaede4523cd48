package dev.agentsessions.watch;

import java.time.Instant;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessException;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/** Lets callers watch the sessions that they may read. */
@Service
public class WatchService {

	private final WatchStore store;

	private final AccessPolicy access;

	private final WatchRegistry watches;

	WatchService(WatchStore store, AccessPolicy access, WatchRegistry watches) {
		this.store = store;
		this.access = access;
		this.watches = watches;
	}

	/**
	 * Opens a watch, which shows nothing and costs nothing until it is started.
	 * @param after shows the events behind this one; {@code null} for those to come
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.InvalidArgument if there is no such event
	 * @throws AccessException.Forbidden if the caller may not read the session
	 * @throws AccessException.Unauthenticated if the watch would end at once
	 * @throws SessionException.Unavailable if there are too many watches
	 */
	public Watch open(SessionKey key, @Nullable Long after) {
		this.access.check(Access.READ, key);
		Predicate<Instant> credentials = this.access.credentials();
		if (!credentials.test(Instant.now())) {
			throw new AccessException.Unauthenticated(
					"The token has ended; other requests are allowed it a little longer");
		}
		LiveSession session = this.store.find(key).orElseThrow(SessionException.NotFound::new);
		long revision = session.version().revision();
		if (after != null && (after < 0 || after > revision)) {
			throw new SessionException.InvalidArgument("The place to begin at",
					"must be 0 or the seq of an event that is there, at most " + revision);
		}
		if (!this.watches.hasRoom()) {
			throw new SessionException.Unavailable(
					"Too many watches are open (agent-sessions.watch.max). Please retry.");
		}
		return new Watch(this.watches, key, session, (after != null) ? after : revision, credentials);
	}

}
