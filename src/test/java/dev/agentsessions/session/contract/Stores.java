package dev.agentsessions.session.contract;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.springframework.context.ApplicationContext;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionListener;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.SessionProperties;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventQuery.TimelineQuery;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.session.event.EventService.SessionReads.SelectedEvents;
import dev.agentsessions.session.event.Limits;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.Creations;
import dev.agentsessions.session.lifecycle.Creations.Store.CreationId;
import dev.agentsessions.session.lifecycle.SessionService.Erasure;
import dev.agentsessions.session.lifecycle.LeaseService;
import dev.agentsessions.session.lifecycle.LeaseService.Lease;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingCall;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;
import dev.agentsessions.session.lifecycle.SessionService;

/** All ports of a store, for tests that use several of them. */
public final class Stores {

	private final SessionService.Store sessions;

	private final SessionReads reads;

	private final EventService.Store appends;

	private final LeaseService.Store leases;

	private final PendingService.Store pending;

	private final Creations.Store creations;

	public Stores(SessionService.Store sessions, SessionReads reads, EventService.Store appends,
			LeaseService.Store leases, PendingService.Store pending, Creations.Store creations) {
		this.sessions = sessions;
		this.reads = reads;
		this.appends = appends;
		this.leases = leases;
		this.pending = pending;
		this.creations = creations;
	}

	/** The ports of a replica. */
	public static Stores of(ApplicationContext replica) {
		return new Stores(replica.getBean(SessionService.Store.class), replica.getBean(SessionReads.class),
				replica.getBean(EventService.Store.class), replica.getBean(LeaseService.Store.class),
				replica.getBean(PendingService.Store.class), replica.getBean(Creations.Store.class));
	}

	/** The same ports with other appends. */
	public Stores with(EventService.Store others) {
		return new Stores(this.sessions, this.reads, others, this.leases, this.pending, this.creations);
	}

	/** The service of sessions over these ports, for a caller who may do everything. */
	public SessionService sessions(Limits limits, SessionListener listener) {
		return new SessionService(this.sessions, this.reads, creations(), new OpenAccessPolicy("anybody"), limits,
				listener, (action, details) -> {
				});
	}

	/** The service of events over these ports, for a caller who may do everything. */
	public EventService events(SessionProperties properties, Limits limits, SessionListener listener) {
		return new EventService(this.appends, this.reads, properties, new OpenAccessPolicy("anybody"), limits, listener,
				new ResponseHeap());
	}

	SessionReads reads() {
		return this.reads;
	}

	Creations creations() {
		return new Creations(this.creations, this.reads);
	}

	/** Finds the session that a creation has made. */
	public Optional<UUID> find(SessionName name, CreationId creation) {
		return this.creations.find(name, creation);
	}

	public Session create(CreateSession request) {
		return this.sessions.create(request);
	}

	public Session createLocatable(CreateSession request) {
		return this.sessions.createLocatable(request);
	}

	public Optional<Session> find(SessionName name, EventWindow window) {
		return this.reads.find(name, window);
	}

	public List<SessionName> locate(String appName, String sessionId) {
		return this.sessions.locate(appName, sessionId);
	}

	public Page<Session> list(SessionQuery query) {
		return this.sessions.list(query);
	}

	public FoundSessions find(SessionQuery query, EventCondition condition) {
		return this.sessions.find(query, condition);
	}

	public void updateDetails(SessionName name, SessionDetails change, Precondition precondition) {
		this.sessions.updateDetails(name, change, precondition);
	}

	public void delete(SessionName name, Precondition precondition) {
		this.sessions.delete(name, precondition);
	}

	public Erasure erase(StateOwner user) {
		return this.sessions.erase(user);
	}

	public AppendResult append(SessionName name, AppendRequest append) {
		return this.appends.append(name, append);
	}

	public BatchAppendResult appendAll(SessionName name, List<NewEvent> events, Precondition precondition) {
		return this.appends.appendAll(name, events, precondition);
	}

	public Lease acquire(SessionName name, LeaseRequest request, Precondition precondition) {
		return this.leases.acquire(name, request, precondition);
	}

	public void release(SessionName name, long number) {
		this.leases.release(name, number);
	}

	public Optional<EventPage> events(SessionName name, EventQuery query) {
		return this.reads.events(name, query);
	}

	public Optional<EventPage> timeline(SessionName name, TimelineQuery query) {
		return this.reads.timeline(name, query);
	}

	public Optional<SelectedEvents> events(SessionName name, List<String> ids) {
		return this.reads.events(name, ids);
	}

	public Optional<Event> event(SessionName name, String eventId) {
		return this.reads.event(name, eventId);
	}

	public Optional<Page<PendingCall>> pending(PendingQuery query) {
		return this.pending.list(query);
	}

	public Map<String, JsonText> state(StateOwner owner) {
		return this.sessions.state(owner);
	}

	public Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes) {
		return this.sessions.changeState(owner, changes);
	}

	public List<String> appNames() {
		return this.sessions.appNames();
	}

	public Page<UserSummary> users(UserQuery query) {
		return this.sessions.users(query);
	}

}
