package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.Erasure;
import dev.agentsessions.session.StateOwner;

/**
 * Erases all that there is of a user, some sessions at a time, each with all that belongs
 * to it. Like an append it takes the rows of sessions first, in the order of their keys,
 * and then looks for what hangs on them: so whoever appends meanwhile has either finished
 * or finds no session. State that sessions shared comes last, when none of them can write
 * it any more.
 */
@Component
class UserEraser {

	/** So many sessions go in one transaction, and about so many events. */
	static final int SESSIONS_OF_PIECE = 100;

	static final int EVENTS_OF_PIECE = 10_000;

	private static final String NEXT = """
			select session_key, before from (
			  select session_key, sum(revision) over (order by last_update_time, id) - revision as before
			  from sessions where app_key = ? and user_key = ? order by last_update_time, id limit ?) as next
			order by before
			""";

	private static final String LOCK = "select session_key from sessions where session_key = any (?)"
			+ " order by session_key for update";

	private static final String DELETE_SESSIONS = "delete from sessions where session_key = any (?)";

	private static final String DELETE_EVENTS = "delete from events where session_key = any (?)";

	private static final String DELETE_STATE = "delete from state where scope_key = any (?)";

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	UserEraser(Transactions transactions, JdbcTemplate jdbc) {
		this.transactions = transactions;
		this.jdbc = jdbc;
	}

	/**
	 * Erases all that is there when it ends. One piece that holds all that is left is the
	 * last, so it ends, however fast others create sessions.
	 */
	Erasure erase(StateOwner user) {
		Erasure erased = Erasure.NOTHING;
		Piece piece;
		do {
			piece = next(user);
			erased = erased.and(erase(piece.sessionKeys()));
		}
		while (!piece.last());
		UUID[] userKey = { ScopeKey.of(user) };
		long keys = this.transactions.statement(() -> delete(DELETE_STATE, userKey));
		return erased.and(new Erasure(0, 0, keys));
	}

	private Piece next(StateOwner user) {
		UUID appKey = ScopeKey.of(new StateOwner(user.appName(), null));
		List<Candidate> found = this.transactions.statement(() -> this.jdbc.query(NEXT,
				(row, number) -> new Candidate(row.getObject("session_key", UUID.class), row.getLong("before")), appKey,
				ScopeKey.of(user), SESSIONS_OF_PIECE));
		List<Candidate> piece = found.stream().filter((session) -> session.before() < EVENTS_OF_PIECE).toList();
		return new Piece(piece.stream().map(Candidate::sessionKey).toArray(UUID[]::new),
				piece.size() < SESSIONS_OF_PIECE && piece.size() == found.size());
	}

	private Erasure erase(UUID[] sessionKeys) {
		return this.transactions.write(() -> {
			this.jdbc.query(LOCK, (statement) -> new Parameters(statement).add("uuid", sessionKeys), (row) -> {
			});
			long sessions = delete(DELETE_SESSIONS, sessionKeys);
			long events = delete(DELETE_EVENTS, sessionKeys);
			delete(DELETE_STATE, sessionKeys);
			return new Erasure(sessions, events, 0);
		});
	}

	private int delete(String sql, UUID[] keys) {
		return this.jdbc.update(sql, (statement) -> new Parameters(statement).add("uuid", keys));
	}

	private record Candidate(UUID sessionKey, long before) {
	}

	private record Piece(UUID[] sessionKeys, boolean last) {
	}

}
