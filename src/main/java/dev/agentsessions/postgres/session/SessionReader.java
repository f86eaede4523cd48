package dev.agentsessions.postgres.session;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.session.FindSessionStatement.SessionRows;
import dev.agentsessions.postgres.session.FindSessionStatement.SessionRows.SessionRead;
import dev.agentsessions.postgres.state.InitialStateStatements;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventQuery.TimelineQuery;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.session.event.EventService.SessionReads.SelectedEvents;

/**
 * Reads one session with its state and its events. Large values are deferred until there
 * is memory for them.
 */
@Component
public class SessionReader implements SessionReads {

	private final SessionKeys keys;

	private final Lanes lanes;

	private final FindSessionStatement findStatement;

	private final Function<SessionRead, SessionRows> shared;

	private final InitialStateStatements initialStates;

	private final EventListReader lists;

	private final SelectedEventsReader selectedEvents;

	private final EventStreamReader streams;

	private final HeapBoundedReads reads;

	private final ContextReader context;

	SessionReader(SessionKeys keys, Lanes lanes, FindSessionStatement findStatement,
			InitialStateStatements initialStates, EventListReader lists, SelectedEventsReader selectedEvents,
			EventStreamReader streams, HeapBoundedReads reads, ContextReader context) {
		this.keys = keys;
		this.lanes = lanes;
		this.findStatement = findStatement;
		this.shared = reads.shared(findStatement::execute, findStatement.maxGroup());
		this.initialStates = initialStates;
		this.lists = lists;
		this.selectedEvents = selectedEvents;
		this.streams = streams;
		this.reads = reads;
		this.context = context;
	}

	@Override
	public Optional<Session> find(SessionName name, EventWindow window) {
		return this.keys.read(name, (key) -> find(name, key, window));
	}

	/** Reads the session with a key; empty if there is none. */
	public Optional<Session> find(SessionName name, UUID key, EventWindow window) {
		boolean ofContext = window.view() == HistoryView.CONTEXT;
		EventWindow first = ofContext ? EventWindow.NONE.withView(HistoryView.CONTEXT) : window;
		return read(new SessionRead(name, key, first)).found()
			.map((found) -> found.session().toSession(found.state(), events(found, window)));
	}

	private SessionRows read(SessionRead read) {
		return (read.window().since() == null) ? this.shared.apply(read) : this.lanes.heavy()
			.run(() -> this.reads.read((deferFrom) -> this.findStatement.execute(read, deferFrom)));
	}

	private EventStream events(SessionRows.Found found, EventWindow window) {
		SessionVersion version = found.session().version();
		if (window.view() == HistoryView.CONTEXT) {
			return this.context.stream(version.sessionKey(), version, found.edited(), window);
		}
		return found.hasAllEvents() ? new EventStream(found.events())
				: this.streams.continueFrom(found.events(), version, window);
	}

	/** Reads a session with all events, but without the state of its user and app. */
	public Optional<Session> findAlone(SessionName name) {
		return this.keys.read(name,
				(key) -> this.reads.read((deferFrom) -> this.findStatement.executeAlone(name, key, deferFrom))
					.found()
					.map((found) -> found.session().toSession(found.state(), allEvents(found))));
	}

	/** Streams all events; the chunks after the first one are heavy reads. */
	private EventStream allEvents(SessionRows.Found found) {
		return this.reads.stream(found.events(), (chunk) -> {
			Supplier<List<Event>> next = this.streams.next(chunk, found.session().version(), EventWindow.ALL);
			return () -> this.lanes.heavy().runNext(next);
		});
	}

	/**
	 * Reads the state of its own that a session was created with.
	 * @throws dev.agentsessions.session.SessionException.NotFound if this session is gone
	 */
	public Map<String, JsonText> initialState(UUID sessionKey) {
		return this.reads.read((deferFrom) -> this.initialStates.find(sessionKey, deferFrom)).state();
	}

	@Override
	public Optional<EventPage> events(SessionName name, EventQuery query) {
		return this.keys.read(name, (key) -> this.lists.page(key, query));
	}

	@Override
	public Optional<EventPage> timeline(SessionName name, TimelineQuery query) {
		return this.keys.read(name, (key) -> this.lists.timeline(key, query));
	}

	@Override
	public Optional<SelectedEvents> events(SessionName name, List<String> ids) {
		return this.keys.read(name, (key) -> this.selectedEvents.read(key, ids));
	}

	@Override
	public Optional<Event> event(SessionName name, String eventId) {
		return this.keys.read(name, (key) -> this.lists.event(key, eventId));
	}

}
