package dev.agentsessions.postgres;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.RemovalStatements.Which;
import dev.agentsessions.session.AppendRequest;
import dev.agentsessions.session.AppendResult;
import dev.agentsessions.session.BatchAppendResult;
import dev.agentsessions.session.CreateSession;
import dev.agentsessions.session.Erasure;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventPage;
import dev.agentsessions.session.EventQuery;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Lease;
import dev.agentsessions.session.LeaseRequest;
import dev.agentsessions.session.NewEvent;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.PendingCall;
import dev.agentsessions.session.PendingQuery;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionQuery;
import dev.agentsessions.session.SessionStore;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.TimelineQuery;
import dev.agentsessions.session.UserQuery;
import dev.agentsessions.session.UserSummary;
import dev.agentsessions.json.JsonText;

/** The store on PostgreSQL. What writes together runs in one transaction. */
@Component
class PostgresSessionStore implements SessionStore {

	private final Transactions transactions;

	private final Directory directory;

	private final SessionPages pages;

	private final SessionReader reader;

	private final PendingReader pendingReader;

	private final SessionWriter writer;

	private final Appender appender;

	private final BatchAppender batchAppender;

	private final SessionRemover remover;

	private final UserEraser eraser;

	PostgresSessionStore(Transactions transactions, Directory directory, SessionPages pages, SessionReader reader,
			PendingReader pendingReader, SessionWriter writer, Appender appender, BatchAppender batchAppender,
			SessionRemover remover, UserEraser eraser) {
		this.transactions = transactions;
		this.directory = directory;
		this.pages = pages;
		this.reader = reader;
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
		return this.remover.makingRoom(ScopeKey.of(request.key()), () -> this.transactions.write(creation));
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
	public void updateDetails(SessionKey key, SessionDetails change, Precondition precondition) {
		this.transactions.write(ScopeKey.of(key), () -> {
			this.writer.updateDetails(ScopeKey.of(key), change, precondition);
			return true;
		});
	}

	@Override
	public void delete(SessionKey key, Precondition precondition) {
		// Where there was none to compare with, one that is created meanwhile is not
		// meant
		this.remover.remove(List.of(ScopeKey.of(key)),
				() -> this.writer.check(key, precondition) ? Which.ALL : Which.GONE);
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
	public Lease acquire(SessionKey key, LeaseRequest request, Precondition precondition) {
		UUID sessionKey = ScopeKey.of(key);
		return this.transactions.write(sessionKey, () -> this.writer.acquire(sessionKey, request, precondition));
	}

	@Override
	public void release(SessionKey key, long number) {
		UUID sessionKey = ScopeKey.of(key);
		this.transactions.write(sessionKey, () -> {
			this.writer.release(sessionKey, number);
			return true;
		});
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
