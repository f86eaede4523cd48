package dev.agentsessions.postgres.session;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

import dev.agentsessions.postgres.Sql;

/**
 * Reads some rows of the table {@code events}. All queries are SQL, which makes a start
 * faster.
 */
public interface EventRepository extends Repository<EventEntity, EventEntity.EventKey> {

	/** Looks up each id in the index. */
	String OF_IDS = """
			 from unnest(cast(:ids as text[])) as wanted (wanted_id) cross join lateral (
			  select * from events where session_key = :sessionKey and events.id = wanted_id limit 1) as event
			""";

	@Query(nativeQuery = true,
			value = "select " + Sql.EVENT_COLUMNS + " from events where session_key = :sessionKey and id = :id")
	Optional<EventEntity> find(UUID sessionKey, String id);

	/** Returns the size of an event in bytes; empty if there is no such event. */
	@Query(nativeQuery = true, value = "select size from events where session_key = :sessionKey and id = :id")
	Optional<Integer> size(UUID sessionKey, String id);

	/** Returns the size of some events together, in bytes. */
	@Query(nativeQuery = true, value = "select coalesce(sum(event.size), 0)" + OF_IDS)
	long size(UUID sessionKey, String[] ids);

	/** Finds the events of a session with these ids. */
	@Query(nativeQuery = true, value = "select " + Sql.EVENT_COLUMNS + OF_IDS)
	List<EventEntity> findAll(UUID sessionKey, String[] ids);

	/**
	 * Returns the revision that a session had at a time. Reads only the events since
	 * then.
	 */
	@Query(nativeQuery = true, value = """
			select seq from events where session_key = :sessionKey and commit_time <= :time order by seq desc limit 1
			""")
	Optional<Long> revisionAt(UUID sessionKey, Instant time);

	/**
	 * Returns the seq of the first event of an invocation. Reads all events before it.
	 */
	@Query(nativeQuery = true, value = """
			select seq from events where session_key = :sessionKey and invocation_id = :invocationId
			order by seq limit 1
			""")
	Optional<Long> firstOf(UUID sessionKey, String invocationId);

	/** Returns the seq of an event; empty if there is no such event. */
	@Query(nativeQuery = true, value = "select seq from events where session_key = :sessionKey and id = :id")
	Optional<Long> seq(UUID sessionKey, String id);

	/** Returns the invocation of an event that exists; blank if it has none. */
	@Query(nativeQuery = true,
			value = "select invocation_id from events where session_key = :sessionKey and seq = :seq")
	String invocation(UUID sessionKey, long seq);

	/** Returns the commit time of an event that exists. */
	@Query(nativeQuery = true, value = "select commit_time from events where session_key = :sessionKey and seq = :seq")
	Instant commitTime(UUID sessionKey, long seq);

	/**
	 * Takes the newest events up to a seq that have the time {@code since} or a later
	 * one, and returns the seq of the first of them. Zero if there are none.
	 */
	@Query(nativeQuery = true, value = """
			select coalesce(min(seq), 0) from (
			  select seq from events where session_key = :sessionKey and seq <= :last and time >= :since
			  order by seq desc limit :count) as newest
			""")
	long firstOfNewest(UUID sessionKey, long last, Instant since, int count);

}
