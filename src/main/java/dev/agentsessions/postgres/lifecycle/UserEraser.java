package dev.agentsessions.postgres.lifecycle;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactRemover;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionService.Erasure;

/**
 * Erases all data of a user. First the sessions, in batches, in the order of their last
 * update, so that a session that changes meanwhile is in a later batch. Then the rows of
 * removals, imports and forks under other keys. Then the state that the sessions shared,
 * when no session can write it any more. Last come the rows that belong to no session.
 */
@Component
public class UserEraser {

	/** Maximum number of sessions, keys or forks that are looked up at once. */
	static final int MAX_BATCH_SESSIONS = 100;

	/** Maximum number of keys of shared state in one transaction. */
	static final int MAX_BATCH_KEYS = 5000;

	/** Maximum number of passes over keys and forks that were added meanwhile. */
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

	/** Facts of scopes with several names, one of which is the user. */
	private static final String DELETE_NAMING = """
			delete from memories where app_key = ? and user_id = ? and scope is not null
			""";

	private static final String DELETE_STATE = "delete from state where scope_key = ? and key = any (?)";

	private final Transactions transactions;

	private final SessionRemover remover;

	private final KeysToSweep keysToSweep;

	private final KeySweeper sweeper;

	private final OwnedTables tables;

	private final ArtifactRemover artifacts;

	private final JdbcTemplate jdbc;

	UserEraser(Transactions transactions, SessionRemover remover, KeysToSweep keysToSweep, KeySweeper sweeper,
			OwnedTables tables, ArtifactRemover artifacts, JdbcTemplate jdbc) {
		this.tables = tables;
		this.artifacts = artifacts;
		this.transactions = transactions;
		this.remover = remover;
		this.keysToSweep = keysToSweep;
		this.sweeper = sweeper;
		this.jdbc = jdbc;
	}

	/**
	 * Erases all data that exists when it begins, and maybe data that is added meanwhile.
	 * It first stops imports, because one that ends meanwhile can have an update time
	 * that the list of sessions has passed. It ends however fast other requests create
	 * sessions: a batch that is not full is the last one.
	 * @return the number of erased sessions, events and keys of shared state
	 * @throws SessionException.Unavailable if other requests fork sessions of the user
	 * all the time
	 */
	public Erasure erase(StateOwner user) {
		stopWriters(ScopeKey.of(user));
		Erasure erased = Erasure.NOTHING;
		List<Cursor> batch = next(user, Cursor.FIRST);
		while (!batch.isEmpty()) {
			erased = erased.and(this.remover.removeAll(batch.stream().map(Cursor::sessionKey).toList()));
			batch = (batch.size() < MAX_BATCH_SESSIONS) ? List.of() : next(user, batch.get(batch.size() - 1));
		}
		erased = erased.and(eraseUnfinished(user)).and(new Erasure(0, 0, eraseState(ScopeKey.of(user))));
		eraseDescribed(ScopeKey.of(user));
		this.artifacts.erase(ScopeKey.of(user));
		this.transactions.write(() -> this.jdbc.update(DELETE_NAMING, ScopeKey.ofApp(user.appName()), user.userId()));
		return erased;
	}

	private void eraseDescribed(UUID userKey) {
		this.transactions.write(userKey, () -> {
			this.tables.erase(userKey);
			return true;
		});
	}

	/**
	 * Erases the rows under keys of the user that have no session, and forks that ended
	 * just before their source was removed. All sessions are gone, so a fork that ends
	 * from now on does not find its source. A fork that is about to end keeps its key
	 * locked, and the sweep waits for that. So forks are looked up after the keys.
	 */
	private Erasure eraseUnfinished(StateOwner user) {
		UUID userKey = ScopeKey.of(user);
		Erasure erased = Erasure.NOTHING;
		for (int pass = 0; pass < MAX_PASSES; pass++) {
			List<UUID> keys = takeKeys(userKey);
			erased = erased.and(new Erasure(0, this.sweeper.sweep(keys), 0));
			List<UUID> forks = forks(user);
			erased = erased.and(this.remover.removeAll(forks));
			if (keys.size() < MAX_BATCH_SESSIONS && forks.isEmpty()) {
				return erased;
			}
		}
		throw new SessionException.Unavailable("Other requests fork sessions of the user all the time. Please retry.");
	}

	/** Stops imports and forks that write under keys of the user. */
	private void stopWriters(UUID userKey) {
		this.transactions.write(() -> this.keysToSweep.giveUpOfUser(userKey));
	}

	/** Stops all writers under keys of the user, and returns keys. */
	private List<UUID> takeKeys(UUID userKey) {
		stopWriters(userKey);
		return this.transactions.statement(() -> this.keysToSweep.ofUser(userKey, MAX_BATCH_SESSIONS));
	}

	private List<UUID> forks(StateOwner user) {
		return this.transactions.statement(() -> this.jdbc.queryForList(FORKS, UUID.class,
				ScopeKey.ofApp(user.appName()), ScopeKey.of(user), MAX_BATCH_SESSIONS));
	}

	private List<Cursor> next(StateOwner user, Cursor after) {
		return this.transactions.statement(() -> this.jdbc.query(NEXT,
				(row, number) -> new Cursor(row.getObject("session_key", UUID.class),
						row.getObject("last_update_time", OffsetDateTime.class), row.getString("id")),
				ScopeKey.ofApp(user.appName()), ScopeKey.of(user), after.time(), after.id(), MAX_BATCH_SESSIONS));
	}

	private long eraseState(UUID scopeKey) {
		long erased = 0;
		List<String> batch = eraseState(scopeKey, "");
		while (!batch.isEmpty()) {
			erased += batch.size();
			String last = batch.get(batch.size() - 1);
			batch = (batch.size() < MAX_BATCH_KEYS) ? List.of() : eraseState(scopeKey, last);
		}
		return erased;
	}

	/**
	 * Erases a batch of keys, from one on. It locks them first, in the same order as
	 * other writers, and then deletes them.
	 */
	private List<String> eraseState(UUID scopeKey, String first) {
		return this.transactions.write(() -> {
			List<String> keys = this.jdbc.query(LOCK_STATE, (row, number) -> row.getString("key"), scopeKey, first,
					MAX_BATCH_KEYS);
			this.jdbc.update(DELETE_STATE,
					(statement) -> new StatementParameters(statement).add(scopeKey).add("text", keys.toArray()));
			return keys;
		});
	}

	/**
	 * The position of a session in the list of its user.
	 *
	 * @param sessionKey its key
	 * @param time its last update time
	 * @param id its id
	 */
	private record Cursor(UUID sessionKey, OffsetDateTime time, String id) {

		static final Cursor FIRST = new Cursor(ScopeKey.FIRST, OffsetDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC),
				"");

	}

}
