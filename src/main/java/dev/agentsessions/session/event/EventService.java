package dev.agentsessions.session.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.springframework.stereotype.Service;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionListener;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.SessionProperties;
import dev.agentsessions.session.artifact.RestoredArtifacts;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventQuery.TimelineQuery;
import dev.agentsessions.session.event.EventService.SessionReads.SelectedEvents;
import dev.agentsessions.session.heap.ResponseHeap;

/** Appends and reads the events of sessions. */
@Service
public class EventService {

	private final Store store;

	private final SessionReads reads;

	private final SessionProperties properties;

	private final AccessPolicy access;

	private final Limits limits;

	private final SessionListener listener;

	private final ResponseHeap memory;

	public EventService(Store store, SessionReads reads, SessionProperties properties, AccessPolicy access,
			Limits limits, SessionListener listener, ResponseHeap memory) {
		this.store = store;
		this.reads = reads;
		this.properties = properties;
		this.access = access;
		this.limits = limits;
		this.listener = listener;
		this.memory = memory;
	}

	/**
	 * Appends an event. A partial event is returned, but not stored.
	 * @throws SessionException.NotFound if there is no such session; none is created
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.EventIdConflict if another event has its id
	 * @throws SessionException.PreconditionRequired if there is none, and the service
	 * requires one
	 * @throws SessionException.TooLarge if a limit is exceeded
	 */
	public AppendResult append(SessionName name, AppendRequest append) {
		this.access.check(Access.WRITE, name);
		this.access.check(name, append.event().delta());
		if (append.event().partial()) {
			return AppendResult.notStored(append.event(), find(name));
		}
		this.properties.check(append.precondition());
		this.limits.check(append.details());
		this.limits.check(List.of(append.event()));
		return store(name, append);
	}

	/**
	 * Appends an event that takes back the session's own state and artifacts. It may set
	 * more keys than one request otherwise may, because it restores all keys of an
	 * earlier state.
	 * @return the result; empty if others have changed the session or its artifacts
	 * meanwhile
	 */
	public Optional<AppendResult> appendRewind(SessionName name, AppendRequest append, RestoredArtifacts artifacts) {
		this.access.check(Access.WRITE, name);
		this.limits.checkSize(append.event());
		Optional<AppendResult> appended = this.store.appendRestoring(name, append, artifacts);
		appended.ifPresent((result) -> this.listener.changed(name));
		return appended;
	}

	private AppendResult store(SessionName name, AppendRequest append) {
		AppendResult appended = this.store.append(name, append);
		this.listener.changed(name);
		return appended;
	}

	/**
	 * Appends events, all or none. Partial events are returned, but not stored.
	 * @param events at least one
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.Stale if the precondition does not hold
	 * @throws SessionException.EventIdConflict if another event has one of the ids
	 * @throws SessionException.PreconditionRequired if there is none, and the service
	 * requires one
	 * @throws SessionException.TooLarge if a limit is exceeded
	 */
	public BatchAppendResult appendAll(SessionName name, List<NewEvent> events, Precondition precondition) {
		this.access.check(Access.WRITE, name);
		events.forEach((event) -> this.access.check(name, event.delta()));
		List<NewEvent> whole = events.stream().filter((event) -> !event.partial()).toList();
		if (whole.isEmpty()) {
			return BatchAppendResult.notStored(events, find(name));
		}
		NewEvent.checkIdsDiffer(whole);
		this.properties.check(precondition);
		this.limits.check(whole);
		BatchAppendResult appended = this.store.appendAll(name, whole, precondition);
		this.listener.changed(name);
		return appended.withPartial(events);
	}

	/**
	 * Lists events. A page has as many events as make a page in the returned
	 * representation.
	 * @param mapper returns the representation of an event, which may be much smaller
	 * @throws SessionException.NotFound if there is no such session
	 */
	public EventPage list(SessionName name, EventQuery query, UnaryOperator<Event> mapper) {
		this.access.check(Access.READ, name);
		Secrets secrets = this.access.secrets();
		return new EventPageReader((part) -> this.reads.events(name, part).orElseThrow(SessionException.NotFound::new),
				(event) -> mapper.apply(secrets.of(event)), this.memory)
			.read(query.atMost(this.limits.pageSize()));
	}

	/**
	 * Lists events by the time that their senders gave them.
	 * @throws SessionException.NotFound if there is no such session
	 */
	public EventPage timeline(SessionName name, TimelineQuery query) {
		this.access.check(Access.READ, name);
		EventPage page = this.reads.timeline(name, query.atMost(this.limits.pageSize()))
			.orElseThrow(SessionException.NotFound::new);
		return new EventPage(page.sessionKey(), page.page().map(this.access.secrets()::of));
	}

	/**
	 * Reads one event.
	 * @throws SessionException.EventNotFound if there is none, or no such session
	 */
	public Event get(SessionName name, String eventId) {
		this.access.check(Access.READ, name);
		return this.access.secrets()
			.of(this.reads.event(name, eventId).orElseThrow(SessionException.EventNotFound::new));
	}

	/**
	 * Reads some events by their ids.
	 * @param ids no two the same
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.InvalidArgument if no event can have one of the ids
	 */
	public SelectedEvents get(SessionName name, List<String> ids) {
		this.access.check(Access.READ, name);
		ids.forEach((id) -> Identifiers.check("ids", id));
		SelectedEvents found = this.reads.events(name, ids).orElseThrow(SessionException.NotFound::new);
		return new SelectedEvents(found.events().map(this.access.secrets()::of), found.missing());
	}

	private Session find(SessionName name) {
		this.access.check(Access.READ, name);
		return this.reads.find(name, EventWindow.NONE).orElseThrow(SessionException.NotFound::new);
	}

	/**
	 * Reads one page of events that are returned in another representation. If that is
	 * much smaller, several chunks of stored events make one page. Only the returned
	 * representation stays in memory meanwhile.
	 */
	static final class EventPageReader {

		/**
		 * Approximate maximum length of a page in characters, as for events that are
		 * returned as stored.
		 */
		private static final long MAX_PAGE_CHARS = 1 << 22;

		/**
		 * Approximate maximum number of characters to read for one page; more would take
		 * too long.
		 */
		private static final long MAX_READ_CHARS = 1 << 28;

		private final Function<EventQuery, EventPage> reader;

		private final UnaryOperator<Event> mapper;

		private final ResponseHeap memory;

		private final long takenBefore;

		private final List<Event> events = new ArrayList<>();

		private long pageChars;

		private long readChars;

		/**
		 * Creates a reader of one page.
		 * @param reader reads stored events, as many as make a page
		 * @param mapper returns the representation of an event
		 * @param memory the memory that the reader takes from
		 */
		EventPageReader(Function<EventQuery, EventPage> reader, UnaryOperator<Event> mapper, ResponseHeap memory) {
			this.reader = reader;
			this.mapper = mapper;
			this.memory = memory;
			this.takenBefore = memory.taken();
		}

		/**
		 * Reads the page. The context of a model belongs to one moment, so it is read at
		 * once.
		 */
		EventPage read(EventQuery query) {
			EventPage part = readPart(query);
			while (part.more() && hasRoom(query) && query.view() == HistoryView.FULL) {
				part = readPart(query.after(part.end()).atMost(query.limit() - this.events.size()));
			}
			return new EventPage(part.sessionKey(), new Page<>(this.events, part.more()));
		}

		private boolean hasRoom(EventQuery query) {
			return this.events.size() < query.limit() && this.pageChars < MAX_PAGE_CHARS
					&& this.readChars < MAX_READ_CHARS;
		}

		private EventPage readPart(EventQuery query) {
			EventPage stored = this.reader.apply(query);
			EventPage part = new EventPage(stored.sessionKey(), stored.page().map(this.mapper));
			this.events.addAll(part.items());
			this.pageChars += chars(part);
			this.readChars += chars(stored);
			this.memory.backTo(this.takenBefore + this.pageChars);
			return part;
		}

		private static long chars(EventPage page) {
			return page.items().stream().mapToLong((event) -> event.body().length()).sum();
		}

	}

	/**
	 * Appends events: the part of the contract of a store
	 * ({@link dev.agentsessions.session.lifecycle.SessionService.Store}) that every turn
	 * of an agent needs.
	 */
	public interface Store {

		/**
		 * Appends an event and applies its delta. If the session has an event with its id
		 * already, the append is a replay if the content is the same, and a conflict if
		 * not, whatever the precondition says.
		 * @throws SessionException.NotFound if there is no such session
		 * @throws SessionException.EventIdConflict if an event with other content has its
		 * id
		 * @throws SessionException.Stale if the precondition does not hold
		 */
		AppendResult append(SessionName name, AppendRequest append);

		/**
		 * Appends events, all or none, in their order. Events that the session has
		 * already are replays, as with {@link #append}. The precondition must hold if at
		 * least one of them is not a replay.
		 * @param events at least one, none of them partial, no two with the same id
		 * @throws SessionException.NotFound if there is no such session
		 * @throws SessionException.EventIdConflict if an event with other content has one
		 * of the ids
		 * @throws SessionException.Stale if the precondition does not hold
		 */
		BatchAppendResult appendAll(SessionName name, List<NewEvent> events, Precondition precondition);

		/**
		 * Appends an event and saves the versions of artifacts that it names, both or
		 * nothing.
		 * @return the result; empty if the precondition does not hold, or if others have
		 * changed artifacts meanwhile
		 * @throws SessionException.NotFound if there is no such session
		 * @throws SessionException.EventIdConflict if another event has its id
		 */
		Optional<AppendResult> appendRestoring(SessionName name, AppendRequest append, RestoredArtifacts artifacts);

	}

	/**
	 * An append.
	 *
	 * @param event the event
	 * @param precondition the precondition for the session
	 * @param details the session details that the append changes
	 */
	public record AppendRequest(NewEvent event, Precondition precondition, SessionDetails details) {

		/** Creates an append that changes no session details. */
		public AppendRequest(NewEvent event, Precondition precondition) {
			this(event, precondition, SessionDetails.NONE);
		}

	}

	/**
	 * Reads one session and its events. The guarantees of
	 * {@link dev.agentsessions.session.lifecycle.SessionService.Store} hold here, too.
	 */
	public interface SessionReads {

		/** Reads a session; empty if there is none. */
		Optional<Session> find(SessionName name, EventWindow window);

		/**
		 * Reads the session with this key; empty if it is deleted, even if another
		 * session has its name now.
		 */
		default Optional<Session> find(SessionName name, UUID sessionKey, EventWindow window) {
			return find(name, window).filter((session) -> session.sessionKey().equals(sessionKey));
		}

		/** Lists events; empty if there is no such session. */
		Optional<EventPage> events(SessionName name, EventQuery query);

		/**
		 * Lists events by the time that their senders gave them, then by seq; empty if
		 * there is no such session.
		 */
		Optional<EventPage> timeline(SessionName name, TimelineQuery query);

		/**
		 * Reads some events by their ids; empty if there is no such session.
		 * @param ids no two the same
		 */
		Optional<SelectedEvents> events(SessionName name, List<String> ids);

		/** Reads one event; empty if there is none, or no such session. */
		Optional<Event> event(SessionName name, String eventId);

		/**
		 * Events of a session that a caller selects by their ids.
		 *
		 * @param events the events that exist, in the requested order; read during
		 * iteration
		 * @param missing the ids of which the session has no event, in the same order
		 */
		record SelectedEvents(EventStream events, List<String> missing) {

		}

	}

}
