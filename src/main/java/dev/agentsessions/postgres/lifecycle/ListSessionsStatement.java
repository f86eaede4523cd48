package dev.agentsessions.postgres.lifecycle;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import jakarta.persistence.EntityManager;
import jakarta.persistence.Tuple;
import org.hibernate.Session;
import org.hibernate.query.NativeQuery;
import org.springframework.stereotype.Repository;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.lifecycle.ExaminedSession.Candidate;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;

/**
 * Lists sessions after a position. In the order of the index {@code sessions_by_update}
 * each page costs the same. For any other order it sorts all sessions that may be listed,
 * because every append would have to pay for a further index.
 */
@Repository
class ListSessionsStatement {

	private static final UUID LAST_KEY = new UUID(-1, -1);

	private static final Instant FIRST_TIME = Instant.parse("0001-01-01T00:00:00Z");

	private static final Instant LAST_TIME = Instant.parse("9999-12-31T00:00:00Z");

	private static final String NO_EVALUATION = " and not id ^@ any (cast(:evaluationPrefixes as text[]))";

	private static final String WITH_DISPLAY_NAME = " and display_name = :displayName";

	private static final String WITH_LABELS = """
			 and not exists (
			   select from unnest(cast(:labelKeys as text[]), cast(:labelValues as text[])) as wanted (key, value)
			   where labels ->> wanted.key is distinct from wanted.value)
			""";

	private static final String WAITING = """
			 and exists (
			   select from pending_calls where pending_calls.session_key = sessions.session_key and closed_seq is null)
			""";

	private static final String WITH_PREFIX = " and (id ^@ :prefix or display_name ^@ :prefix)";

	/** Only these can have an event that was stored in this time. */
	private static final String WITH_EVENTS_SINCE = " and revision > 0 and last_update_time >= :from";

	private static final String CREATED_UNTIL = " and create_time <= :until";

	/** By the index {@code sessions_by_id}. */
	private static final String WITH_ID = " and id = :sessionId";

	/** By the unique name: sessions of other users may have the same id. */
	private static final String WITH_KEY = " and name_key = :nameKey";

	private static final String OF_USER = """
			 and user_key = :userKey and (%1$s, id) %2$s (:time, :id) order by %1$s %3$s, id %3$s
			""";

	private static final String BY_USER = """
			 and (user_key, %1$s, id) %2$s (:userKey, :time, :id) order by user_key %3$s, %1$s %3$s, id %3$s
			""";

	private static final String BY_TIME = """
			 and (%1$s, user_key, id) %2$s (:time, :userKey, :id) order by %1$s %3$s, user_key %3$s, id %3$s
			""";

	private final Session session;

	ListSessionsStatement(EntityManager entityManager) {
		this.session = entityManager.unwrap(Session.class);
	}

	/**
	 * Whether a page takes each session that it reads from an index, in the order of the
	 * list or by its id. Any other page, and so one with any other condition, reads, at
	 * worst, all sessions of the user or of the app.
	 */
	boolean readsOnlyPage(SessionQuery query) {
		boolean selects = !Set.of(NO_EVALUATION).containsAll(conditions(query).keySet());
		boolean sorts = (query.owner().userId() != null) ? query.order() == Order.CREATE_TIME
				: query.order() != Order.USER;
		return query.filter().sessionId() != null || !(selects || sorts);
	}

	/** Returns the sessions of a page, and one more if more follow. */
	List<SessionEntity> find(SessionQuery query) {
		return select("select " + SessionEntity.COLUMNS, query, conditions(query), SessionEntity.class)
			.setMaxResults(query.limit() + 1)
			.getResultList();
	}

	/**
	 * Returns the next sessions that may have an event that meets a condition, as many as
	 * the limit of the query at most.
	 */
	List<Candidate> candidates(SessionQuery query, EventCondition condition) {
		Map<String, Map<String, Object>> conditions = conditions(query);
		conditions.put(WITH_EVENTS_SINCE, Map.of("from", (condition.from() != null) ? condition.from() : FIRST_TIME));
		if (condition.until() != null) {
			conditions.put(CREATED_UNTIL, Map.of("until", condition.until()));
		}
		return Candidate.typed(select(Candidate.COLUMNS, query, conditions, Tuple.class))
			.setMaxResults(query.limit())
			.getResultList()
			.stream()
			.map(Candidate::of)
			.toList();
	}

	private <T> NativeQuery<T> select(String columns, SessionQuery query, Map<String, Map<String, Object>> conditions,
			Class<T> type) {
		Position after = query.after();
		boolean last = query.newestFirst();
		String page = orderedPage(query).formatted(
				(query.order() == Order.CREATE_TIME) ? "create_time" : "last_update_time", after(query),
				last ? "desc" : "asc");
		NativeQuery<T> select = this.session.createNativeQuery(columns + " from sessions where app_key = :appKey and "
				+ Sql.LIVE + String.join("", conditions.keySet()) + page, type);
		select.setParameter("appKey", ScopeKey.ofApp(query.owner().appName()))
			.setParameter("userKey", userKey(query, last ? LAST_KEY : ScopeKey.FIRST))
			.setParameter("time", (after != null) ? after.time() : last ? LAST_TIME : FIRST_TIME)
			.setParameter("id", (after != null) ? after.sessionId() : "");
		conditions.values().forEach((parameters) -> parameters.forEach(select::setParameter));
		return select;
	}

	/** A session that is not done yet is listed once more. */
	private static String after(SessionQuery query) {
		Position after = query.after();
		return (query.newestFirst() ? "<" : ">") + ((after != null && after.upToSeq() != null) ? "=" : "");
	}

	private static String orderedPage(SessionQuery query) {
		if (query.owner().userId() != null) {
			return OF_USER;
		}
		return (query.order() == Order.USER) ? BY_USER : BY_TIME;
	}

	/**
	 * Returns the conditions of the filter, each with its parameters, and no others.
	 * PostgreSQL would take optional conditions for very selective ones, and then read
	 * and sort all sessions.
	 */
	private static Map<String, Map<String, Object>> conditions(SessionQuery query) {
		Map<String, Map<String, Object>> conditions = new LinkedHashMap<>();
		Filter filter = query.filter();
		String sessionId = filter.sessionId();
		if (sessionId != null && query.owner().userId() != null) {
			conditions.put(WITH_KEY, Map.of("nameKey", ScopeKey.of(new SessionName(query.owner(), sessionId))));
		}
		else if (sessionId != null) {
			conditions.put(WITH_ID, Map.of("sessionId", sessionId));
		}
		if (!filter.evaluations()) {
			conditions.put(NO_EVALUATION,
					Map.of("evaluationPrefixes", Filter.EVALUATION_PREFIXES.toArray(String[]::new)));
		}
		if (filter.displayName() != null) {
			conditions.put(WITH_DISPLAY_NAME, Map.of("displayName", filter.displayName()));
		}
		if (!filter.labels().isEmpty()) {
			conditions.put(WITH_LABELS, Map.of("labelKeys", filter.labels().keySet().toArray(String[]::new),
					"labelValues", filter.labels().values().toArray(String[]::new)));
		}
		if (filter.waiting()) {
			conditions.put(WAITING, Map.of());
		}
		if (filter.prefix() != null) {
			conditions.put(WITH_PREFIX, Map.of("prefix", filter.prefix()));
		}
		return conditions;
	}

	/**
	 * Returns the key of the user whose sessions are listed. For a list of all users, the
	 * key of the user of the last session before the page.
	 */
	private static UUID userKey(SessionQuery query, UUID ofFirstPage) {
		Position after = query.after();
		if (query.owner().userId() != null) {
			return ScopeKey.of(query.owner());
		}
		return (after != null) ? ScopeKey.of(new StateOwner(query.owner().appName(), after.userId())) : ofFirstPage;
	}

}
