package dev.agentsessions.postgres.event;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Finds single rows of the table {@code events}. */
public interface EventRepository extends Repository<EventEntity, EventEntity.EventKey> {

	@Query("from EventEntity e where e.key.sessionKey = :sessionKey and e.id = :id")
	Optional<EventEntity> find(UUID sessionKey, String id);

	/** How large a single event is, if it is there. */
	@Query(nativeQuery = true, value = "select size from events where session_key = :sessionKey and id = :id")
	Optional<Integer> size(UUID sessionKey, String id);

	/**
	 * Finds those of a session that have one of these ids, by one look into the index
	 * each.
	 */
	@Query(nativeQuery = true, value = """
			select event.* from unnest(cast(:ids as text[])) as wanted (id) cross join lateral (
			  select * from events where session_key = :sessionKey and events.id = wanted.id limit 1) as event
			""")
	List<EventEntity> findAll(UUID sessionKey, String[] ids);

	/**
	 * The revision a session had at a time; walks back over the events since then only.
	 */
	@Query("select e.key.seq from EventEntity e where e.key.sessionKey = :sessionKey and e.commitTime <= :time"
			+ " order by e.key.seq desc limit 1")
	Optional<Long> revisionAt(UUID sessionKey, Instant time);

	/** Where an invocation begins: goes through the events until it finds one of it. */
	@Query("select e.key.seq from EventEntity e where e.key.sessionKey = :sessionKey"
			+ " and e.invocationId = :invocationId order by e.key.seq limit 1")
	Optional<Long> firstOf(UUID sessionKey, String invocationId);

	/** The seq of an event, if it is there. */
	@Query("select e.key.seq from EventEntity e where e.key.sessionKey = :sessionKey and e.id = :id")
	Optional<Long> seq(UUID sessionKey, String id);

	/** The invocation of an event that is there; blank if it has none. */
	@Query("select e.invocationId from EventEntity e where e.key.sessionKey = :sessionKey and e.key.seq = :seq")
	String invocation(UUID sessionKey, long seq);

	/** When an event that is there was stored. */
	@Query("select e.commitTime from EventEntity e where e.key.sessionKey = :sessionKey and e.key.seq = :seq")
	Instant commitTime(UUID sessionKey, long seq);

	/**
	 * Where the newest events up to one begin that were stamped at a time or later, zero
	 * if there are none.
	 */
	@Query(nativeQuery = true, value = """
			select coalesce(min(seq), 0) from (
			  select seq from events where session_key = :sessionKey and seq <= :last and time >= :since
			  order by seq desc limit :count) as newest
			""")
	long firstOfNewest(UUID sessionKey, long last, Instant since, int count);

}
