package dev.agentsessions.postgres.manage;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.append.Appender;
import dev.agentsessions.postgres.append.BatchAppender;
import dev.agentsessions.postgres.event.SelectedEventsReader;
import dev.agentsessions.postgres.pending.PendingCallReader;
import dev.agentsessions.postgres.removal.SessionRemover;
import dev.agentsessions.postgres.removal.UserEraser;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.session.SessionReader;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.BatchAppendResult;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.SelectedEvents;
import dev.agentsessions.session.event.TimelineQuery;
import dev.agentsessions.session.lease.Lease;
import dev.agentsessions.session.lease.LeaseRequest;
import dev.agentsessions.session.manage.CreateSession;
import dev.agentsessions.session.manage.Erasure;
import dev.agentsessions.session.manage.SessionQuery;
import dev.agentsessions.session.manage.SessionStore;
import dev.agentsessions.session.manage.UserQuery;
import dev.agentsessions.session.manage.UserSummary;
import dev.agentsessions.session.pending.PendingCall;
import dev.agentsessions.session.pending.PendingQuery;

/** The store on PostgreSQL. What writes together runs in one transaction. */
@Component
public class PostgresSessionStore implements SessionStore {

	private final SessionKeys keys;

	private final Transactions transactions;

	private final SessionDirectory directory;

	private final SessionPageReader pages;

	private final SessionReader reader;

	private final SelectedEventsReader selectedEventsReader;

	private final PendingCallReader pendingReader;

	private final SessionWriter writer;

	private final Appender appender;

	private final BatchAppender batchAppender;

	private final SessionRemover remover;

	private final UserEraser eraser;

	public PostgresSessionStore(SessionKeys keys, Transactions transactions, SessionDirectory directory,
			SessionPageReader pages, SessionReader reader, SelectedEventsReader selectedEventsReader,
			PendingCallReader pendingReader, SessionWriter writer, Appender appender, BatchAppender batchAppender,
			SessionRemover remover, UserEraser eraser) {
		this.keys = keys;
		this.transactions = transactions;
		this.directory = directory;
		this.pages = pages;
		this.reader = reader;
		this.selectedEventsReader = selectedEventsReader;
		this.pendingReader = pendingReader;
		this.writer = writer;
		this.appender = appender;
		this.batchAppender = batchAppender;
		this.remover = remover;
		this.eraser = eraser;
	}

	@Override
	public Session create(CreateSession request) {
		return create(request, () -> this.writer.create(request));
	}

	@Override
	public Session createLocatable(CreateSession request) {
		return create(request, () -> this.writer.createLocatable(request));
	}

	private Session create(CreateSession request, Supplier<Session> creation) {
		Session created = this.transactions.write(creation);
		this.keys.remember(request.key(), created.birth());
		return created;
	}

	@Override
	public Optional<Session> find(SessionKey key, EventWindow window) {
		return this.reader.find(key, window);
	}

	@Override
	public List<SessionKey> locate(String appName, String sessionId) {
		return this.directory.locate(appName, sessionId);
	}

	@Override
	public Page<Session> list(SessionQuery query) {
		return this.pages.read(query);
	}

	@Override
	public void updateDetails(SessionKey names, SessionDetails change, Precondition precondition) {
		this.keys.with(names, (key) -> this.transactions.write(key, () -> {
			this.writer.updateDetails(key, change, precondition);
			return true;
		}));
	}

	@Override
	public void delete(SessionKey names, Precondition precondition) {
		this.keys.read(names, (key) -> this.remover.remove(key, precondition) ? Optional.of(true) : Optional.empty());
	}

	@Override
	public Erasure erase(StateOwner user) {
		return this.eraser.erase(user);
	}

	@Override
	public AppendResult append(SessionKey key, AppendRequest append) {
		return this.appender.append(key, append);
	}

	@Override
	public BatchAppendResult appendAll(SessionKey key, List<NewEvent> events, Precondition precondition) {
		return this.batchAppender.append(key, events, precondition);
	}

	@Override
	public Lease acquire(SessionKey names, LeaseRequest request, Precondition precondition) {
		return this.keys.with(names,
				(key) -> this.transactions.write(key, () -> this.writer.acquire(key, request, precondition)));
	}

	@Override
	public void release(SessionKey names, long number) {
		this.keys.with(names, (key) -> this.transactions.write(key, () -> {
			this.writer.release(key, number);
			return true;
		}));
	}

	@Override
	public Optional<EventPage> events(SessionKey key, EventQuery query) {
		return this.reader.events(key, query);
	}

	@Override
	public Optional<EventPage> timeline(SessionKey key, TimelineQuery query) {
		return this.reader.timeline(key, query);
	}

	@Override
	public Optional<Page<PendingCall>> pending(PendingQuery query) {
		return this.pendingReader.read(query);
	}

	@Override
	public Optional<SelectedEvents> events(SessionKey names, List<String> ids) {
		return this.keys.read(names, (key) -> this.selectedEventsReader.read(key, ids));
	}

	@Override
	public Optional<Event> event(SessionKey key, String eventId) {
		return this.reader.event(key, eventId);
	}

	@Override
	public Map<String, JsonText> state(StateOwner owner) {
		return this.reader.state(owner);
	}

	@Override
	public Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes) {
		return this.transactions.write(ScopeKey.of(owner), () -> this.writer.changeState(owner, changes));
	}

	@Override
	public List<String> appNames() {
		return this.directory.appNames();
	}

	@Override
	public Page<UserSummary> users(UserQuery query) {
		return this.directory.users(query);
	}

}
