package dev.agentsessions.postgres.lifecycle;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.CountingJdbcTemplate;
import dev.agentsessions.postgres.HeapBoundedReads.ReadMetrics;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.lifecycle.MatchReader.Matches;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.postgres.state.Scopes.StateByScope;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;

/**
 * Reads pages of sessions. A page ends early when it has as much as memory may hold.
 */
@Component
public class SessionPageReader {

	/** A page has at most about this number of characters, but one session at least. */
	private static final int MAX_PAGE_CHARS = 1 << 24;

	/**
	 * A list reads at most this number of characters before it takes the memory of a
	 * large page.
	 */
	private static final int MAX_LIGHT_PAGE_CHARS = 1 << 20;

	/** Maximum number of sessions that one statement reads. */
	static final int MAX_BATCH_SESSIONS = 1000;

	private final ListSessionsStatement sessions;

	private final MatchReader matches;

	private final SessionRepository repository;

	private final Lanes lanes;

	private final Transactions transactions;

	private final ResponseHeap memory;

	private final ReadMetrics metrics;

	private final ScopesStatement state;

	SessionPageReader(ListSessionsStatement sessions, MatchReader matches, SessionRepository repository, Lanes lanes,
			Transactions transactions, ResponseHeap memory, ReadMetrics metrics, ScopesStatement state) {
		this.sessions = sessions;
		this.matches = matches;
		this.repository = repository;
		this.lanes = lanes;
		this.transactions = transactions;
		this.memory = memory;
		this.metrics = metrics;
		this.state = state;
	}

	/**
	 * Reads a page. A large page, and one for which PostgreSQL reads many more sessions
	 * than it lists, waits for a permit; a large page also waits for memory.
	 */
	Page<Session> read(SessionQuery query) {
		Supplier<Page<Session>> page = () -> inMemory((bounded) -> read(query, bounded));
		return this.sessions.readsOnlyPage(query) ? page.get() : this.lanes.heavy().run(page);
	}

	/**
	 * Reads a page of sessions that have an event that meets a condition; waits for a
	 * permit, and for memory if the page is large.
	 */
	FoundSessions read(SessionQuery query, EventCondition condition) {
		SessionQuery page = query.limit(Math.min(query.limit(), MAX_BATCH_SESSIONS));
		return this.lanes.heavy()
			.run(() -> inMemory((bounded) -> read(page, this.matches.find(page, condition, bounded), bounded)));
	}

	private <T> T inMemory(Function<Boolean, T> read) {
		try {
			return inTransaction(() -> read.apply(true));
		}
		catch (TooLargeException ex) {
			return this.lanes.heavy().run(() -> {
				this.memory.take(2L * MAX_PAGE_CHARS);
				return inTransaction(() -> read.apply(false));
			});
		}
	}

	private <T> T inTransaction(Supplier<T> read) {
		return this.transactions.read(() -> CountingJdbcTemplate.uncounted(read));
	}

	/** Reads the sessions of a page, as many as fit. */
	private FoundSessions read(SessionQuery query, Matches matches, boolean bounded) {
		Map<UUID, SessionEntity> entities = this.repository
			.findAll(matches.found().stream().map((session) -> session.candidate().sessionKey()).toArray(UUID[]::new))
			.stream()
			.collect(Collectors.toMap(SessionEntity::sessionKey, Function.identity()));
		Page<SessionEntity> batch = new Page<>(
				matches.found().stream().map((session) -> entities.get(session.candidate().sessionKey())).toList(),
				false);
		List<Session> page = new ArrayList<>();
		long charsLeft = add(batch, query, page, MAX_PAGE_CHARS, bounded);
		count(MAX_PAGE_CHARS - charsLeft, bounded);
		return matches.first(page);
	}

	/**
	 * Reads a page in one transaction.
	 * @param bounded whether it may have at most {@link #MAX_LIGHT_PAGE_CHARS} characters
	 * @throws TooLargeException if it has more
	 */
	private Page<Session> read(SessionQuery query, boolean bounded) {
		List<Session> page = new ArrayList<>();
		Page<SessionEntity> batch = batch(query, query.limit());
		long charsLeft = add(batch, query, page, MAX_PAGE_CHARS, bounded);
		while (charsLeft > 0 && batch.more() && page.size() < query.limit()) {
			batch = batch(query.after(query.position(page.get(page.size() - 1))), query.limit() - page.size());
			charsLeft = add(batch, query, page, charsLeft, bounded);
		}
		count(MAX_PAGE_CHARS - charsLeft, bounded);
		return new Page<>(page, batch.more() || charsLeft <= 0);
	}

	/** The memory of a page that is not bounded was taken before. */
	private void count(long chars, boolean bounded) {
		this.metrics.list(chars);
		if (bounded) {
			this.memory.count(chars);
		}
	}

	private Page<SessionEntity> batch(SessionQuery query, int limit) {
		SessionQuery next = query.limit(Math.min(limit, MAX_BATCH_SESSIONS));
		return Page.of(this.sessions.find(next), next.limit());
	}

	/**
	 * Adds the sessions of a batch to a page, as many as fit.
	 * @return how many characters more fit; 0 if a session did not fit
	 */
	private long add(Page<SessionEntity> batch, SessionQuery query, List<Session> page, long charsBefore,
			boolean bounded) {
		StatePageReader state = new StatePageReader(this.state, bounded, query.withState() ? batch.items() : List.of());
		long charsLeft = charsBefore;
		for (SessionEntity entity : batch.items()) {
			Map<String, JsonText> merged = query.withState() ? state.merged(entity) : Map.of();
			charsLeft -= entity.size() + JsonText.size(merged);
			if (charsLeft <= 0 && !page.isEmpty()) {
				return 0;
			}
			if (bounded && query.withState() && charsLeft < MAX_PAGE_CHARS - MAX_LIGHT_PAGE_CHARS) {
				throw new TooLargeException();
			}
			page.add(entity.toSession(merged, EventStream.EMPTY));
		}
		return Math.max(charsLeft, 1);
	}

	/** A page has more characters than {@link #MAX_LIGHT_PAGE_CHARS}. */
	static final class TooLargeException extends RuntimeException {

		TooLargeException() {
			super("", null, false, false);
		}

	}

	/**
	 * The state of the sessions of a list. It is read while the caller goes through the
	 * list, as many scopes at once as a bounded amount of memory can hold.
	 */
	static final class StatePageReader {

		/** Maximum number of scopes in a batch. */
		private static final int MAX_BATCH_SCOPES = 3 * SessionPageReader.MAX_BATCH_SESSIONS;

		/** About the size of a batch in bytes; a single scope may have more. */
		private static final long MAX_BATCH_BYTES = 1 << 22;

		/**
		 * Maximum number of keys of a batch; a single scope may have more. The values of
		 * as many keys that lie in their rows have a few times {@link #MAX_BATCH_BYTES},
		 * so a batch reads at most about this number of times what it returns.
		 */
		private static final long MAX_BATCH_KEYS = 5000;

		private final ScopesStatement statement;

		private final boolean bounded;

		private final StateByScope found = new StateByScope();

		/** The scopes that were not read yet, in the order of the list. */
		private final Set<UUID> unread;

		StatePageReader(ScopesStatement statement, boolean bounded, List<SessionEntity> sessions) {
			this.statement = statement;
			this.bounded = bounded;
			this.unread = sessions.stream()
				.flatMap((session) -> session.scopes().stream())
				.collect(Collectors.toCollection(LinkedHashSet::new));
		}

		/**
		 * Returns the state that an agent sees in a session. Call it in the order of the
		 * list.
		 */
		Map<String, JsonText> merged(SessionEntity session) {
			while (this.unread.contains(session.sessionKey())) {
				readBatch();
			}
			return this.found.merged(session.scopes());
		}

		private void readBatch() {
			List<UUID> wanted = this.unread.stream().limit(MAX_BATCH_SCOPES).toList();
			if (!readBatch(wanted, MAX_BATCH_BYTES, MAX_BATCH_KEYS)) {
				if (this.bounded) {
					throw new SessionPageReader.TooLargeException();
				}
				readBatch(wanted.subList(0, 1), Long.MAX_VALUE, Long.MAX_VALUE);
			}
		}

		/**
		 * Returns whether any scope was read; {@code false} if the first one is too
		 * large.
		 */
		private boolean readBatch(List<UUID> wanted, long maxBytes, long maxKeys) {
			int scopesRead = this.statement.read(wanted, maxBytes, maxKeys, this.found);
			wanted.subList(0, scopesRead).forEach(this.unread::remove);
			return scopesRead > 0;
		}

	}

}
