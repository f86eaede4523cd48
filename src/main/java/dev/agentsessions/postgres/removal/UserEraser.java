package dev.agentsessions.postgres.removal;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.manage.Erasure;

/**
 * Erases all that there is of a user: the sessions, some at a time, in the order of their
 * last update, so that one that is changed meanwhile comes later; then what removals,
 * imports and forks have written under other keys; and then the state that the sessions
 * shared, when none of them can write it any more.
 */
@Component
public class UserEraser {

	/** So many sessions are looked for at once. */
	static final int SESSIONS_OF_PIECE = 100;

	/** So many keys of shared state go in one transaction. */
	static final int KEYS_OF_PIECE = 5000;

	/** How often the keys and forks that came meanwhile are looked for. */
	static final int MAX_PASSES = 100;

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

	private final KeysToSweep keysToSweep;

	private final KeySweeper sweeper;

	private final JdbcTemplate jdbc;

	UserEraser(Transactions transactions, SessionRemover remover, KeysToSweep keysToSweep, KeySweeper sweeper,
			JdbcTemplate jdbc) {
		this.transactions = transactions;
		this.remover = remover;
		this.keysToSweep = keysToSweep;
		this.sweeper = sweeper;
		this.jdbc = jdbc;
	}

	/**
	 * Erases all that is there when it begins, and more. A batch that holds all sessions
	 * that are left is the last, so it ends, however fast others create sessions.
	 */
	public Erasure erase(StateOwner user) {
		Erasure erased = Erasure.NOTHING;
		List<ErasePosition> batch = next(user, ErasePosition.FIRST);
		while (!batch.isEmpty()) {
			erased = erased.and(this.remover.removeAll(batch.stream().map(ErasePosition::sessionKey).toList()));
			batch = (batch.size() < SESSIONS_OF_PIECE) ? List.of() : next(user, batch.get(batch.size() - 1));
		}
		return erased.and(eraseUnfinished(user)).and(new Erasure(0, 0, eraseState(ScopeKey.of(user))));
	}

	/**
	 * Erases what is under keys of the user that no session has, and forks of sessions
	 * that were made just before these went. The sessions are gone, so a fork that ends
	 * now finds its source gone; and one that was about to end holds its key, for which
	 * this waits. So forks are looked for after the keys.
	 */
	private Erasure eraseUnfinished(StateOwner user) {
		UUID userKey = ScopeKey.of(user);
		Erasure erased = Erasure.NOTHING;
		for (int pass = 0; pass < MAX_PASSES; pass++) {
			List<UUID> keys = takeKeys(userKey);
			erased = erased.and(new Erasure(0, this.sweeper.sweep(keys), 0));
			List<UUID> forks = forks(user);
			erased = erased.and(this.remover.removeAll(forks));
			if (keys.size() < SESSIONS_OF_PIECE && forks.isEmpty()) {
				return erased;
			}
		}
		throw new SessionException.Unavailable("Other requests fork sessions of the user all the time. Please retry.");
	}

	/** Keys under which nothing is written any more. */
	private List<UUID> takeKeys(UUID userKey) {
		this.transactions.write(() -> {
			this.keysToSweep.giveUpOfUser(userKey);
			return true;
		});
		return this.transactions.statement(() -> this.keysToSweep.ofUser(userKey, SESSIONS_OF_PIECE));
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
					(statement) -> new StatementParameters(statement).add(scopeKey).add("text", keys.toArray()));
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
