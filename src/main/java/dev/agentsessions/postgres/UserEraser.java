package dev.agentsessions.postgres;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.RemovalStatements.Which;
import dev.agentsessions.session.Erasure;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;

/**
 * Erases all that there is of a user: some sessions at a time, in the order of their last
 * update, so that one that is changed meanwhile comes later; and then the state that they
 * shared, when none of them can write it any more.
 */
@Component
class UserEraser {

	/** So many sessions are looked for at once. */
	static final int SESSIONS_OF_PIECE = 100;

	/** So many keys of shared state go in one transaction. */
	static final int KEYS_OF_PIECE = 5000;

	/** So often forks are looked for that were made meanwhile. */
	static final int MOST_PASSES = 100;

	private static final String NEXT = """
			select session_key, last_update_time, id from sessions
			where app_key = ? and user_key = ? and (last_update_time, id) > (?, ?)
			order by last_update_time, id limit ?
			""";

	private static final String FORKS = """
			select session_key from sessions where app_key = ? and user_key = ? and forked_from is not null limit ?
			""";

	private static final String LOCK_STATE = """
			select key from state where scope_key = ? and key >= ? order by key limit ? for update
			""";

	private static final String DELETE_STATE = "delete from state where scope_key = ? and key = any (?)";

	private final Transactions transactions;

	private final SessionRemover remover;

	private final JdbcTemplate jdbc;

	UserEraser(Transactions transactions, SessionRemover remover, JdbcTemplate jdbc) {
		this.transactions = transactions;
		this.remover = remover;
		this.jdbc = jdbc;
	}

	/**
	 * Erases all that is there when it begins, and more. One piece that holds all that is
	 * left is the last, so it ends, however fast others create sessions.
	 */
	Erasure erase(StateOwner user) {
		Erasure erased = Erasure.NOTHING;
		List<ErasePosition> piece = next(user, ErasePosition.FIRST);
		while (!piece.isEmpty()) {
			erased = erased.and(this.remover.remove(piece.stream().map(ErasePosition::sessionKey).toList(), Which.ALL));
			piece = (piece.size() < SESSIONS_OF_PIECE) ? List.of() : next(user, piece.get(piece.size() - 1));
		}
		return erased.and(eraseForks(user)).and(new Erasure(0, 0, eraseState(ScopeKey.of(user))));
	}

	/**
	 * Erases what somebody has copied of a session just before it went. Now that they are
	 * gone, nobody can copy them any more.
	 */
	private Erasure eraseForks(StateOwner user) {
		Erasure erased = Erasure.NOTHING;
		for (int pass = 0; pass < MOST_PASSES; pass++) {
			List<UUID> forks = forks(user);
			if (forks.isEmpty()) {
				return erased;
			}
			erased = erased.and(this.remover.remove(forks, Which.ALL));
		}
		throw new SessionException.Unavailable("Somebody forks sessions of the user all the time. Please retry.");
	}

	private List<UUID> forks(StateOwner user) {
		return this.transactions.statement(() -> this.jdbc.queryForList(FORKS, UUID.class,
				ScopeKey.ofApp(user.appName()), ScopeKey.of(user), SESSIONS_OF_PIECE));
	}

	private List<ErasePosition> next(StateOwner user, ErasePosition behind) {
		return this.transactions.statement(() -> this.jdbc.query(NEXT,
				(row, number) -> new ErasePosition(row.getObject("session_key", UUID.class),
						row.getObject("last_update_time", OffsetDateTime.class), row.getString("id")),
				ScopeKey.ofApp(user.appName()), ScopeKey.of(user), behind.time(), behind.id(), SESSIONS_OF_PIECE));
	}

	private long eraseState(UUID scopeKey) {
		long erased = 0;
		List<String> piece = eraseState(scopeKey, "");
		while (!piece.isEmpty()) {
			erased += piece.size();
			String last = piece.get(piece.size() - 1);
			piece = (piece.size() < KEYS_OF_PIECE) ? List.of() : eraseState(scopeKey, last);
		}
		return erased;
	}

	/**
	 * Erases keys from one on. They are locked in the order in which others lock them,
	 * too, and only then deleted.
	 */
	private List<String> eraseState(UUID scopeKey, String first) {
		return this.transactions.write(() -> {
			List<String> keys = this.jdbc.query(LOCK_STATE, (row, number) -> row.getString("key"), scopeKey, first,
					KEYS_OF_PIECE);
			this.jdbc.update(DELETE_STATE,
					(statement) -> new Parameters(statement).add(scopeKey).add("text", keys.toArray()));
			return keys;
		});
	}

	/**
	 * The place of a session among those of its user.
	 *
	 * @param sessionKey its key
	 * @param time its last update time
	 * @param id its id
	 */
	private record ErasePosition(UUID sessionKey, OffsetDateTime time, String id) {

		static final ErasePosition FIRST = new ErasePosition(new UUID(0, 0),
				OffsetDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC), "");

	}

}
