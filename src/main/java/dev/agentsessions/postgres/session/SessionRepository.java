package dev.agentsessions.postgres.session;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.session.StateOwner;

/**
 * Reads and locks rows of the table {@code sessions}. All queries are SQL: the parsers of
 * JPQL would take a fifth of the time of a start.
 */
public interface SessionRepository extends Repository<SessionEntity, UUID> {

	String SELECT = "select " + SessionEntity.COLUMNS + " from sessions where ";

	String FIND_LIVE = SELECT + "session_key = :sessionKey and " + Sql.LIVE;

	/** Maximum number of ids that one statement reads. */
	int MAX_BATCH_IDS = 1000;

	/**
	 * Returns the time of the database, which all replicas use for time stamps and
	 * expiry.
	 */
	@Query(nativeQuery = true, value = "select statement_timestamp()")
	Instant now();

	@Query(nativeQuery = true, value = FIND_LIVE)
	Optional<SessionEntity> find(UUID sessionKey);

	/** Returns the id of the creation of a session; empty if it has none. */
	@Query(nativeQuery = true, value = "select creation from sessions where session_key = :sessionKey and " + Sql.LIVE)
	Optional<UUID> findCreation(UUID sessionKey);

	/** Returns the sessions with some keys, in any order. */
	@Query(nativeQuery = true, value = SELECT + "session_key = any(:sessionKeys)")
	List<SessionEntity> findAll(UUID[] sessionKeys);

	/**
	 * Locks the row of a session until the end of the transaction. Does not find a
	 * session that has expired while the transaction waited for the lock: another client
	 * may have got the response that there is no such session.
	 */
	default Optional<SessionEntity> findForUpdate(UUID sessionKey) {
		return lockRow(sessionKey).filter((session) -> !session.hasExpired(this::now));
	}

	@Query(nativeQuery = true, value = FIND_LIVE + " for no key update")
	Optional<SessionEntity> lockRow(UUID sessionKey);

	@Query(nativeQuery = true, value = SELECT + "app_key = :appKey and id = :sessionId and " + Sql.LIVE)
	List<SessionEntity> find(UUID appKey, String sessionId, Limit limit);

	/**
	 * Locks a number until the end of the transaction; waits while another transaction
	 * has locked it.
	 */
	@Query(nativeQuery = true, value = "select 1 from pg_advisory_xact_lock(:number)")
	int lock(long number);

	/**
	 * Returns the names of all apps. Jumps from app to app in the index instead of
	 * reading all sessions.
	 */
	@Query(nativeQuery = true, value = """
			with recursive app as (
			  (select app_key from sessions order by app_key limit 1)
			  union all
			  select (select s.app_key from sessions s where s.app_key > app.app_key order by s.app_key limit 1)
			  from app where app.app_key is not null)
			select name from app cross join lateral (
			  select s.app_name as name from sessions s where s.app_key = app.app_key limit 1) as any_session
			order by name
			""")
	List<String> appNames();

	/** Returns any session of the app with the next key. */
	@Query(nativeQuery = true, value = SELECT + "app_key > :after order by app_key limit 1")
	Optional<SessionEntity> nextApp(UUID after);

	/**
	 * Returns the next user of an app with a session, in an order that no change of a
	 * session alters, and that is the same in a copy in another database.
	 * @param after the user before; {@code null} for the first one
	 */
	default Optional<String> nextUser(String appName, @Nullable String after) {
		return nextUser(ScopeKey.ofApp(appName), ScopeKey.ofUserOrFirst(appName, after));
	}

	/** In the order of their keys, along the index {@code sessions_by_update}. */
	@Query(nativeQuery = true, value = "select user_id from sessions where app_key = :appKey and user_key > :after and "
			+ Sql.LIVE + " order by user_key, last_update_time, id limit 1")
	Optional<String> nextUser(UUID appKey, UUID after);

	/**
	 * Returns the ids of sessions of a user after an id, as many as one statement reads.
	 */
	default List<String> sessionIds(StateOwner user, String after) {
		return sessionIds(ScopeKey.ofApp(user.appName()), ScopeKey.of(user), after, MAX_BATCH_IDS);
	}

	/**
	 * Finds the sessions of the user first. Otherwise PostgreSQL might read the sessions
	 * of the whole app in the order of ids.
	 */
	@Query(nativeQuery = true,
			value = "with own as materialized (select id from sessions where app_key = :appKey and user_key = :userKey"
					+ " and " + Sql.LIVE + ") select id from own where id > :after order by id limit :limit")
	List<String> sessionIds(UUID appKey, UUID userKey, String after, int limit);

}
