package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

import dev.agentsessions.session.EventQuery;

/** Reads and deletes rows of the table {@code events}. */
interface EventRepository extends Repository<EventEntity, EventEntity.Id> {

	String SELECT = """
			select * from events
			where session_key = :sessionKey and seq > :afterSeq and seq < :beforeSeq
			and (cast(:since as timestamptz) is null or time >= :since)
			and (cast(:author as text) is null or author = :author)
			and (cast(:invocationId as text) is null or invocation_id = :invocationId)
			""";

	String OLDEST_FIRST = SELECT + " order by seq limit :limit";

	String NEWEST_FIRST = SELECT + " order by seq desc limit :limit";

	@Query(nativeQuery = true, value = OLDEST_FIRST)
	List<EventEntity> oldestFirst(UUID sessionKey, long afterSeq, long beforeSeq, @Nullable Instant since,
			@Nullable String author, @Nullable String invocationId, long limit);

	@Query(nativeQuery = true, value = NEWEST_FIRST)
	List<EventEntity> newestFirst(UUID sessionKey, long afterSeq, long beforeSeq, @Nullable Instant since,
			@Nullable String author, @Nullable String invocationId, long limit);

	/** Finds at most so many events of a session, in the order the query asks for. */
	default List<EventEntity> find(UUID sessionKey, EventQuery query, long limit) {
		return query.newestFirst()
				? newestFirst(sessionKey, query.afterSeq(), query.beforeSeq(), query.since(), query.author(),
						query.invocationId(), limit)
				: oldestFirst(sessionKey, query.afterSeq(), query.beforeSeq(), query.since(), query.author(),
						query.invocationId(), limit);
	}

	@Query("from EventEntity e where e.key.sessionKey = :sessionKey and e.id = :id")
	Optional<EventEntity> find(UUID sessionKey, String id);

	/**
	 * Finds those of a session that have one of these ids, by one look into the index
	 * each.
	 */
	@Query(nativeQuery = true, value = """
			select event.* from unnest(:ids) as wanted (id) cross join lateral (
			  select * from events where session_key = :sessionKey and events.id = wanted.id limit 1) as event
			""")
	List<EventEntity> findAll(UUID sessionKey, String[] ids);

	/**
	 * The revision a session had at a time; walks back over the events since then only.
	 */
	@Query("select e.key.seq from EventEntity e where e.key.sessionKey = :sessionKey and e.commitTime <= :time"
			+ " order by e.key.seq desc limit 1")
	Optional<Long> revisionAt(UUID sessionKey, Instant time);

	@Modifying
	@Query("delete from EventEntity e where e.key.sessionKey = :sessionKey")
	void delete(UUID sessionKey);

}
