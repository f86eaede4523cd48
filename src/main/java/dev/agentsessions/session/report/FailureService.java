package dev.agentsessions.session.report;

import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.ForkedFrom;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.lifecycle.FoundSessions;
import dev.agentsessions.session.lifecycle.FoundSessions.Found;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.report.FailureStore.Slice;

/** Reads the events that report an error. */
@Service
public class FailureService {

	private final SessionService sessions;

	private final FailureStore store;

	private final AccessPolicy access;

	FailureService(SessionService sessions, FailureStore store, AccessPolicy access) {
		this.sessions = sessions;
		this.store = store;
		this.access = access;
	}

	/**
	 * Reads the failed events of sessions, a bounded number for each call. Events that a
	 * fork has copied are left out. The same callers may do this as may
	 * {@link SessionService#list list} the sessions.
	 * @param query which sessions
	 * @param condition which of their events; it asks for errors
	 * @param events gets each event: session by session, the newest event first
	 * @return the position after which the next call begins; {@code null} if this one has
	 * read all
	 */
	public @Nullable Position read(SessionQuery query, EventCondition condition, Consumer<FailedEvent> events) {
		FoundSessions found = this.sessions.find(query, condition);
		List<Slice> left = this.store.read(found.items().stream().map(FailureService::upTo).toList(), condition,
				(event) -> events.accept(event.seen(this.access.secrets())));
		if (left.isEmpty()) {
			return found.next();
		}
		Slice next = left.get(0);
		Session session = found.items()
			.stream()
			.map(Found::session)
			.filter((one) -> one.birth().equals(next.birth()))
			.findFirst()
			.orElseThrow();
		Position position = query.position(session);
		return new Position(position.userId(), position.time(), position.sessionId(), next.upTo());
	}

	/**
	 * Reads the events by which sessions were found, as far as one call does.
	 */
	public void read(FoundSessions found, EventCondition condition, Consumer<FailedEvent> events) {
		List<Slice> one = found.items()
			.stream()
			.map((item) -> new Slice(item.session().key(), item.session().birth(), item.seq() - 1, item.seq()))
			.toList();
		one.forEach((slice) -> this.access.check(Access.READ, slice.session()));
		this.store.read(one, condition, (event) -> events.accept(event.seen(this.access.secrets())));
	}

	private static Slice upTo(Found found) {
		ForkedFrom origin = found.session().forkedFrom();
		long copied = (origin != null) ? origin.seq() : 0;
		return new Slice(found.session().key(), found.session().birth(), copied, found.seq());
	}

}
