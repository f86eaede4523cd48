package dev.agentsessions.postgres.lifecycle;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.SessionDetailsWriter;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.postgres.state.SharedState;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.Creations;
import dev.agentsessions.session.lifecycle.Creations.Store.CreationId;
import dev.agentsessions.session.lifecycle.SessionService.Erasure;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;
import dev.agentsessions.session.lifecycle.SessionService;

/**
 * Creates, lists, changes and deletes sessions. Each write is one transaction; removals
 * may need more.
 */
@Component
public class PostgresSessionStore implements SessionService.Store, Creations.Store {

	private static final Limit ENOUGH_TO_BE_AMBIGUOUS = Limit.of(2);

	private final SessionKeys keys;

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final AppsAndUsers lists;

	private final SessionPageReader pages;

	private final SharedState state;

	private final SessionWriter writer;

	private final SessionDetailsWriter detailsWriter;

	private final SessionRemover remover;

	private final UserEraser eraser;

	PostgresSessionStore(SessionKeys keys, Transactions transactions, SessionRepository sessions, AppsAndUsers lists,
			SessionPageReader pages, SharedState state, SessionWriter writer, SessionDetailsWriter detailsWriter,
			SessionRemover remover, UserEraser eraser) {
		this.keys = keys;
		this.transactions = transactions;
		this.sessions = sessions;
		this.lists = lists;
		this.pages = pages;
		this.state = state;
		this.writer = writer;
		this.detailsWriter = detailsWriter;
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
		this.keys.remember(request.name(), created.sessionKey());
		return created;
	}

	@Override
	public Optional<UUID> find(SessionName name, CreationId creation) {
		Optional<UUID> found = this.keys.read(name,
				(key) -> this.transactions.statement(() -> this.sessions.findCreation(key))
					.filter((stored) -> creation.isOf(new CreationId(stored), name.sessionId()))
					.map((stored) -> key));
		if (found.isPresent()) {
			this.transactions.confirmReads();
		}
		return found;
	}

	@Override
	public List<SessionName> locate(String appName, String sessionId) {
		return this.transactions
			.statement(() -> this.sessions.find(ScopeKey.ofApp(appName), sessionId, ENOUGH_TO_BE_AMBIGUOUS))
			.stream()
			.map(SessionEntity::name)
			.toList();
	}

	@Override
	public Page<Session> list(SessionQuery query) {
		return this.pages.read(query);
	}

	@Override
	public FoundSessions find(SessionQuery query, EventCondition condition) {
		return this.pages.read(query, condition);
	}

	@Override
	public UUID updateDetails(SessionName name, SessionDetails change, Precondition precondition) {
		return this.keys.with(name, (key) -> this.transactions.write(key, () -> {
			this.detailsWriter.updateDetails(key, change, precondition);
			return key;
		}));
	}

	@Override
	public boolean delete(SessionName name, Precondition precondition) {
		Optional<Boolean> removed = this.keys.read(name,
				(key) -> this.remover.remove(key, precondition) ? Optional.of(true) : Optional.empty());
		if (removed.isEmpty()) {
			this.transactions.confirmReads();
		}
		return removed.isPresent();
	}

	@Override
	public Erasure erase(StateOwner user) {
		return this.eraser.erase(user);
	}

	@Override
	public Map<String, JsonText> state(StateOwner owner) {
		return this.state.read(owner);
	}

	@Override
	public Map<String, JsonText> changeState(StateOwner owner, Map<String, JsonText> changes) {
		return this.transactions.write(ScopeKey.of(owner), () -> this.writer.changeState(owner, changes));
	}

	@Override
	public List<String> appNames() {
		return this.lists.appNames();
	}

	@Override
	public Page<UserSummary> users(UserQuery query) {
		return this.lists.users(query);
	}

}
