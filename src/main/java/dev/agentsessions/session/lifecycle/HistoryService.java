package dev.agentsessions.session.lifecycle;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.SessionProperties;
import dev.agentsessions.session.artifact.RestoredArtifacts;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.session.event.Limits;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.Creations.CreatedSession;
import dev.agentsessions.session.lifecycle.Creations.Store.CreationId;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryPoint.InvocationStart;
import dev.agentsessions.session.lifecycle.HistoryPoint.InvocationStart.MidInvocationException;
import dev.agentsessions.session.lifecycle.HistoryPoint.RewindRequest;
import dev.agentsessions.session.lifecycle.HistoryService.Store.ForkPlan;

/** Reads sessions as they were, and forks and rewinds them. */
@Service
public class HistoryService {

	/** Maximum number of attempts of a rewind while other writers append first. */
	private static final int MAX_ATTEMPTS = 100;

	private final SessionReads reads;

	private final Store past;

	private final Creations creations;

	private final EventService events;

	private final SessionProperties properties;

	private final AccessPolicy access;

	private final Limits limits;

	public HistoryService(SessionReads reads, Store past, Creations creations, EventService events,
			SessionProperties properties, AccessPolicy access, Limits limits) {
		this.reads = reads;
		this.past = past;
		this.creations = creations;
		this.events = events;
		this.properties = properties;
		this.access = access;
		this.limits = limits;
	}

	/**
	 * Reads a session as it was.
	 * @param seq the event right after which it is read, 0 for its beginning
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.InvalidArgument if the session has fewer events
	 */
	public PastSession get(SessionName name, long seq, EventWindow window) {
		this.access.check(Access.READ, name);
		return find(name, HistoryPoint.after(seq), window).seen(this.access.secrets());
	}

	/**
	 * Reads the state of a session without its events, and which events set it.
	 * @param seq the event right after which it is read; {@code null} for the current
	 * state, with values that other sessions have set
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.InvalidArgument if the session has fewer events
	 */
	public PastSession explain(SessionName name, @Nullable Long seq) {
		this.access.check(Access.READ, name);
		if (seq != null) {
			return find(name, HistoryPoint.after(seq), EventWindow.NONE).seen(this.access.secrets());
		}
		Session now = current(name);
		return explain(now).today(now).seen(this.access.secrets());
	}

	/** If another session has the name now, the session was deleted in between. */
	private PastSession explain(Session now) {
		try {
			return this.past.find(now.name(), HistoryPoint.after(now.revision()), EventWindow.NONE)
				.filter((past) -> past.session().sessionKey().equals(now.sessionKey()))
				.orElseThrow(SessionException.NotFound::new);
		}
		catch (SessionException.InvalidArgument ex) {
			// The other session has fewer events
			throw new SessionException.NotFound();
		}
	}

	/**
	 * Creates a session as a copy of another one, up to a point of its history. A
	 * repeated request returns the session that the first one has created.
	 * @return the new session with its events
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.InvocationNotFound if the point is an invocation that the
	 * session does not have
	 * @throws SessionException.InvalidArgument if the point is after its newest event
	 * @throws SessionException.AlreadyExists if the new id is taken
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.TooLarge if a limit is exceeded
	 */
	public CreatedSession fork(ForkRequest request, EventWindow window) {
		this.access.check(Access.READ, request.source());
		this.access.check(Access.WRITE, request.target());
		this.limits.check(request.details());
		return this.creations.once(request.target(), request.creation(), window, () -> forkNow(request, window));
	}

	private Session forkNow(ForkRequest request, EventWindow window) {
		PastSession origin = origin(request);
		return this.past.fork(new ForkPlan(request.source(), (origin != null) ? origin.session() : null,
				request.precondition(), request.target(), request.details(), request.creation()), window);
	}

	/** The newest state is stored, so the fork does not read all events. */
	private @Nullable PastSession origin(ForkRequest request) {
		this.past.check(request);
		return request.point().equals(HistoryPoint.NEWEST) ? null
				: find(request.source(), request.point(), EventWindow.NONE);
	}

	/**
	 * Appends an event that takes the session's own state back to where an invocation
	 * began. The rewind follows the appends of writers that come first.
	 * @param precondition the precondition for the session
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.InvocationNotFound if it has no such invocation
	 * @throws SessionException.EventIdConflict if another event has the id
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.PreconditionRequired if there is none, and the service
	 * requires one
	 * @throws SessionException.TooLarge if a limit is exceeded
	 */
	public AppendResult rewind(SessionName name, RewindRequest request, Precondition precondition) {
		this.access.check(Access.WRITE, name);
		return rewind(current(name), request, precondition);
	}

	/**
	 * Rewinds a session to right before an event with which an invocation begins.
	 * @param eventId the id of the event that is appended; {@code null} for a new one
	 * @throws SessionException.EventNotFound if there is no such event
	 * @throws MidInvocationException if its invocation begins before it
	 */
	public AppendResult rewind(SessionName name, InvocationStart start, @Nullable String eventId,
			Precondition precondition) {
		this.access.check(Access.WRITE, name);
		Session session = current(name);
		return rewind(session, new RewindRequest(this.past.invocation(name, start), eventId), precondition);
	}

	/**
	 * Rewinds this session, and never another one that has its name by now. A client may
	 * have sent the same request twice at once.
	 */
	private AppendResult rewind(Session session, RewindRequest request, Precondition precondition) {
		return replay(session, request).orElseGet(() -> Creations
			.orEarlier(() -> rewindNow(session, request, precondition), () -> replay(session, request)));
	}

	/** Returns the result of an earlier rewind with the same event id. */
	private Optional<AppendResult> replay(Session session, RewindRequest request) {
		if (request.eventId() == null) {
			return Optional.empty();
		}
		return this.reads.event(session.name(), request.eventId()).map((stored) -> {
			SessionVersion version = again(session).version().at(stored.seq(), stored.commitTime());
			this.past.confirmReads(session.name());
			return new AppendResult(request.replayed(stored), version, true, true);
		});
	}

	private AppendResult rewindNow(Session session, RewindRequest request, Precondition precondition) {
		SessionName name = session.name();
		this.properties.check(precondition);
		this.past.check(name, precondition);
		PastSession past = find(name, HistoryPoint.before(request.beforeInvocationId()), EventWindow.NONE);
		for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			Session now = again(session);
			if (!precondition.isSatisfiedBy(now.version())) {
				// Throws Stale, unless another writer has made it true again
				this.past.check(name, precondition);
				continue;
			}
			Optional<AppendResult> appended = append(now, request, past, precondition.at(now.version()));
			if (appended.isPresent()) {
				return appended.get();
			}
			this.past.check(name, precondition);
		}
		throw new SessionException.Unavailable("Too many others write to the session at the moment. Please retry.");
	}

	/** Returns empty if another writer came first. */
	private Optional<AppendResult> append(Session now, RewindRequest request, PastSession past,
			Precondition precondition) {
		RestoredArtifacts artifacts = this.past.artifactsChangedSince(now, past.session().revision());
		NewEvent event = request.event(past.ownState(), PastSession.ownState(now), artifacts);
		return this.events.appendRewind(now.name(), new AppendRequest(event, precondition), artifacts);
	}

	/**
	 * Finds how many events two sessions have in common from the beginning. Two events
	 * are the same if they have the same id and the same stored body.
	 * @throws SessionException.NotFound if one of the sessions is gone
	 */
	public Divergence divergence(Session one, Session other) {
		this.access.check(Access.READ, one.name());
		this.access.check(Access.READ, other.name());
		long last = Math.min(one.revision(), other.revision());
		long origin = Math.max(copied(one, other), copied(other, one));
		if (origin > 0 && origin <= last) {
			// From the last copied event, because another session may have the id of the
			// source
			Divergence divergence = commonAfter(origin - 1, one, other);
			if (divergence.common() >= origin) {
				return divergence;
			}
		}
		return (last > 0) ? commonAfter(0, one, other) : new Divergence(0, true);
	}

	/**
	 * Returns the number of events that a fork got from its source; 0 if the other
	 * session is not its source.
	 */
	private static long copied(Session fork, Session source) {
		ForkedFrom origin = fork.forkedFrom();
		boolean isSource = origin != null && origin.sessionId().equals(source.name().sessionId())
				&& fork.name().userId().equals(source.name().userId());
		return (origin != null && isSource) ? origin.seq() : 0;
	}

	private Divergence commonAfter(long seq, Session one, Session other) {
		List<String> ours = this.past.digests(one, seq);
		List<String> theirs = this.past.digests(other, seq);
		int compared = Math.min(ours.size(), theirs.size());
		int same = 0;
		while (same < compared && ours.get(same).equals(theirs.get(same))) {
			same++;
		}
		boolean ends = seq + same >= Math.min(one.revision(), other.revision());
		return new Divergence(seq + same, same < compared || ends);
	}

	private Session current(SessionName name) {
		return this.reads.find(name, EventWindow.NONE).orElseThrow(SessionException.NotFound::new);
	}

	/** Reads the session again. If another session has the name now, it was deleted. */
	private Session again(Session session) {
		return this.reads.find(session.name(), session.sessionKey(), EventWindow.NONE)
			.orElseThrow(SessionException.NotFound::new);
	}

	private PastSession find(SessionName name, HistoryPoint point, EventWindow window) {
		return this.past.find(name, point, window).orElseThrow(SessionException.NotFound::new);
	}

	/**
	 * Where two sessions part.
	 *
	 * @param common the number of events that both begin with
	 * @param whole whether the next events differ, or one session ends there; otherwise
	 * further events may be the same
	 */
	public record Divergence(long common, boolean whole) {

	}

	/**
	 * Reads and copies sessions as they were. The guarantees of
	 * {@link SessionService.Store} hold here, too.
	 */
	public interface Store {

		/**
		 * Reads a session as it was; empty if there is none.
		 * @param point the moment
		 * @param window which of its events until then
		 * @throws SessionException.InvalidArgument if the session has fewer events
		 * @throws SessionException.InvocationNotFound if the session has no event of the
		 * invocation
		 */
		Optional<PastSession> find(SessionName name, HistoryPoint point, EventWindow window);

		/**
		 * Returns the invocation that begins with an event.
		 * @throws SessionException.NotFound if there is no such session
		 * @throws SessionException.EventNotFound if it has no event with the id
		 * @throws SessionException.InvalidArgument if it has fewer events, or the event
		 * has no invocation
		 * @throws MidInvocationException if the invocation of the event begins before it
		 */
		String invocation(SessionName name, InvocationStart start);

		/**
		 * Refuses an append whose precondition the current session does not satisfy.
		 * @throws SessionException.NotFound if there is no such session
		 * @throws SessionException if the precondition does not hold
		 */
		void check(SessionName name, Precondition precondition);

		/**
		 * Refuses a fork that the current session does not allow, before its history is
		 * read.
		 * @throws SessionException.NotFound if there is no such session
		 * @throws SessionException.InvalidArgument if the session has fewer events
		 * @throws SessionException.InvocationNotFound if the session has no event of the
		 * invocation
		 * @throws SessionException.Stale if the precondition does not hold
		 * @throws SessionException.TooLarge if there is too much to copy
		 */
		void check(ForkRequest request);

		/**
		 * Creates a session as a copy of another one: with its initial state, and with
		 * its events up to one, their ids, times and seqs. The source stays as it is. If
		 * the source is removed meanwhile, or its user is erased, either nothing is
		 * created or the copy is removed, too.
		 * @param window which events of the new session to return
		 * @return the new session
		 * @throws SessionException.NotFound if there is no such session
		 * @throws SessionException.AlreadyExists if there is one with the new key
		 * @throws SessionException.Stale if the precondition does not hold
		 */
		Session fork(ForkPlan fork, EventWindow window);

		/**
		 * Returns the artifacts of a session that have changed since an event.
		 * @param session the current session
		 * @param seq the event, 0 for the beginning of the session
		 */
		RestoredArtifacts artifactsChangedSince(Session session, long seq);

		/**
		 * Returns a digest of the id and the stored body of each event after one: of at
		 * most 10,000 events, and of about 32 million characters.
		 * @param session the session as it was read
		 * @param after the seq of an event that is not its newest, or 0
		 * @throws SessionException.NotFound if the session is gone
		 */
		List<String> digests(Session session, long after);

		/**
		 * Waits until everything that was read before is stored as safely as a write. A
		 * request that finds its work done already has to wait for this.
		 */
		void confirmReads(SessionName name);

		/**
		 * A fork with the state that is copied.
		 *
		 * @param source the session to copy
		 * @param origin the source as it was right after the last event to copy;
		 * {@code null} for its state when it is copied
		 * @param precondition the precondition for the source when it is copied
		 * @param target the new session
		 * @param details the details in which the new session differs from its source
		 * @param creation identifies repetitions of the request; {@code null} if there
		 * may be none
		 */
		record ForkPlan(SessionName source, @Nullable Session origin, Precondition precondition, SessionName target,
				SessionDetails details, @Nullable CreationId creation) {

		}

	}

}
