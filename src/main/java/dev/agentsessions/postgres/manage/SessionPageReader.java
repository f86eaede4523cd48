package dev.agentsessions.postgres.manage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.DistributionProperties;
import dev.agentsessions.postgres.ReadMetrics;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.manage.SessionQuery;
import dev.agentsessions.session.memory.ResponseMemory;

/**
 * Reads pages of sessions. A page ends early when it is as large as a bounded amount of
 * memory can hold.
 */
@Component
public class SessionPageReader {

	/** A page has about so many characters at most, but one session if there is one. */
	private static final int PAGE = 1 << 24;

	/** What a list may read before it takes the memory for a large one. */
	private static final int BOUND = 1 << 20;

	/** So many sessions are read at once. */
	static final int SESSIONS_OF_PIECE = 1000;

	private final ListSessionsStatement sessions;

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final ResponseMemory memory;

	private final ReadMetrics metrics;

	private final boolean distributed;

	SessionPageReader(ListSessionsStatement sessions, JdbcTemplate jdbc, Transactions transactions,
			ResponseMemory memory, ReadMetrics metrics, DistributionProperties properties) {
		this.sessions = sessions;
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.memory = memory;
		this.metrics = metrics;
		this.distributed = properties.distributed();
	}

	/** Reads a page, a large one when there is memory for it. */
	Page<Session> read(SessionQuery query) {
		try {
			return this.transactions.read(() -> read(query, true));
		}
		catch (TooLargeException ex) {
			this.memory.take(2L * PAGE);
			return this.transactions.read(() -> read(query, false));
		}
	}

	/**
	 * Reads a page of one moment.
	 * @param bounded whether it may have no more than {@link #BOUND} characters
	 * @throws TooLargeException if it has more
	 */
	private Page<Session> read(SessionQuery query, boolean bounded) {
		List<Session> page = new ArrayList<>();
		Page<SessionEntity> piece = piece(query, query.limit());
		long left = add(piece, query, page, PAGE, bounded);
		while (left > 0 && piece.more() && page.size() < query.limit()) {
			piece = piece(query.behind(query.position(page.get(page.size() - 1))), query.limit() - page.size());
			left = add(piece, query, page, left, bounded);
		}
		this.metrics.list(PAGE - left);
		return new Page<>(page, piece.more() || left <= 0);
	}

	private Page<SessionEntity> piece(SessionQuery query, int limit) {
		SessionQuery next = query.limit(Math.min(limit, SESSIONS_OF_PIECE));
		return Page.of(this.sessions.find(next), next.limit());
	}

	/**
	 * Adds the sessions of a piece to a page, as many as it has room for.
	 * @return how much room is left; none if one was left out
	 */
	private long add(Page<SessionEntity> piece, SessionQuery query, List<Session> page, long room, boolean bounded) {
		StatePageReader state = new StatePageReader(this.jdbc, this.distributed, bounded,
				query.withState() ? piece.items() : List.of());
		long left = room;
		for (SessionEntity entity : piece.items()) {
			Map<String, JsonText> merged = query.withState() ? state.merged(entity) : Map.of();
			left -= entity.size() + size(merged);
			if (left <= 0 && !page.isEmpty()) {
				return 0;
			}
			if (bounded && query.withState() && left < PAGE - BOUND) {
				throw new TooLargeException();
			}
			page.add(entity.toSession(merged, EventStream.EMPTY));
		}
		return Math.max(left, 1);
	}

	private static long size(Map<String, JsonText> state) {
		return state.entrySet()
			.stream()
			.mapToLong((entry) -> entry.getKey().length() + entry.getValue().text().length())
			.sum();
	}

	/** A page is larger than its bound. */
	static final class TooLargeException extends RuntimeException {

		TooLargeException() {
			super("", null, false, false);
		}

	}

}
