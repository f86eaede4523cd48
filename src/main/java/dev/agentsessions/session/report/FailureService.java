package dev.agentsessions.session.report;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions.Found;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.report.FailureService.Store.FailedEvent;
import dev.agentsessions.session.report.FailureService.Store.Newest;
import dev.agentsessions.session.report.FailureService.Store.Slice;

/** Reads the events that report an error, and what lists show of the newest events. */
@Service
public class FailureService {

	private final SessionService sessions;

	private final Store store;

	private final AccessPolicy access;

	FailureService(SessionService sessions, Store store, AccessPolicy access) {
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
			.filter((one) -> one.sessionKey().equals(next.sessionKey()))
			.findFirst()
			.orElseThrow();
		Position position = query.position(session);
		return new Position(position.userId(), position.time(), position.sessionId(), next.upTo());
	}

	/**
	 * Reads the events by which sessions were found, as far as one call does.
	 */
	public void read(FoundSessions found, EventCondition condition, Consumer<FailedEvent> events) {
		List<Slice> one = found.items().stream().map((item) -> readable(item.session(), item.seq())).toList();
		this.store.read(one, condition, (event) -> events.accept(event.seen(this.access.secrets())));
	}

	/** Reads the newest events of the sessions of one page of a list. */
	public List<Newest> newest(List<Session> sessions) {
		List<Slice> slices = sessions.stream().map((session) -> readable(session, session.revision())).toList();
		return this.store.newest(slices).stream().map((event) -> event.seen(this.access.secrets())).toList();
	}

	/** Returns one event of a session that the caller may read. */
	private Slice readable(Session session, long seq) {
		this.access.check(Access.READ, session.name());
		return new Slice(session.name(), session.sessionKey(), seq - 1, seq);
	}

	private static Slice upTo(Found found) {
		ForkedFrom origin = found.session().forkedFrom();
		long copied = (origin != null) ? origin.seq() : 0;
		return new Slice(found.session().name(), found.session().sessionKey(), copied, found.seq());
	}

	/** Reads events that report an error. */
	public interface Store {

		/**
		 * Reads the failed events of some sessions, a bounded number for each call:
		 * session by session, the newest event first.
		 * @param condition between which times the events were stored; the rest is
		 * ignored
		 * @param events gets each event
		 * @return what is left of the sessions
		 */
		List<Slice> read(List<Slice> sessions, EventCondition condition, Consumer<FailedEvent> events);

		/** Reads the last event of each slice; none of a slice without one. */
		List<Newest> newest(List<Slice> sessions);

		/**
		 * What a list shows of the newest event of a session.
		 *
		 * @param session the name of the session
		 * @param failed whether the event reports an error
		 * @param waits whether a call of the session waits for an answer
		 * @param body its body; {@code null} if it is larger than what a list reads
		 */
		record Newest(SessionName session, boolean failed, boolean waits, @Nullable JsonText body) {

			Newest seen(Secrets secrets) {
				return new Newest(this.session, this.failed, this.waits, secrets.ofNullable(this.body));
			}

		}

		/**
		 * Events of a session that follow each other.
		 *
		 * @param session the name of the session
		 * @param sessionKey the key of the session
		 * @param after the seq of the event before the first one
		 * @param upTo the seq of the last one
		 */
		record Slice(SessionName session, UUID sessionKey, long after, long upTo) {

			/** Returns the events before a seq. */
			public Slice before(long seq) {
				return new Slice(this.session, this.sessionKey, this.after, seq - 1);
			}

		}

		/**
		 * An event that reports an error.
		 *
		 * @param session the name of its session
		 * @param seq its seq
		 * @param time when it was stored
		 * @param body its body; {@code null} if it is larger than what is read for a
		 * failure
		 */
		record FailedEvent(SessionName session, long seq, Instant time, @Nullable JsonText body) {

			FailedEvent seen(Secrets secrets) {
				return new FailedEvent(this.session, this.seq, this.time, secrets.ofNullable(this.body));
			}

		}

	}

}
