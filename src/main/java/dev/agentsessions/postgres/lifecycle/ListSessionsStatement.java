package dev.agentsessions.postgres.lifecycle;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
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

	private static final UUID FIRST_KEY = new UUID(0, 0);

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
	 * list or by its id. Any other page reads, at worst, all sessions of the user or of
	 * the app.
	 */
	boolean readsOnlyPage(SessionQuery query) {
		Filter filter = query.filter();
		boolean selects = filter.displayName() != null || !filter.labels().isEmpty() || filter.waiting()
				|| filter.prefix() != null;
		boolean sorts = (query.owner().userId() != null) ? query.order() == Order.CREATE_TIME
				: query.order() != Order.USER;
		return filter.sessionId() != null || !(selects || sorts);
	}

	/** Returns the sessions of a page, and one more if more follow. */
	List<SessionEntity> find(SessionQuery query) {
		NativeQuery<SessionEntity> select = this.session
			.createNativeQuery("select " + SessionEntity.COLUMNS + sql(query, ""), SessionEntity.class);
		setParameters(select, query);
		return select.setMaxResults(query.limit() + 1).getResultList();
	}

	/**
	 * Returns the next sessions that may have an event that meets a condition, as many as
	 * the limit of the query at most.
	 */
	List<Candidate> candidates(SessionQuery query, EventCondition condition) {
		String stored = WITH_EVENTS_SINCE + ((condition.until() != null) ? CREATED_UNTIL : "");
		NativeQuery<Tuple> select = this.session.createNativeQuery(Candidate.COLUMNS + sql(query, stored), Tuple.class);
		setParameters(select, query);
		select.setParameter("from", (condition.from() != null) ? condition.from() : FIRST_TIME);
		if (condition.until() != null) {
			select.setParameter("until", condition.until());
		}
		return Candidate.typed(select)
			.setMaxResults(query.limit())
			.getResultList()
			.stream()
			.map(Candidate::of)
			.toList();
	}

	private static String sql(SessionQuery query, String conditions) {
		return " from sessions where app_key = :appKey and " + Sql.LIVE + ofSession(query) + conditions(query.filter())
				+ conditions
				+ orderedPage(query).formatted(
						(query.order() == Order.CREATE_TIME) ? "create_time" : "last_update_time", after(query),
						query.newestFirst() ? "desc" : "asc");
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
	 * Returns only the conditions of the filter. PostgreSQL would take optional
	 * conditions for very selective ones, and then read and sort all sessions.
	 */
	private static String conditions(Filter filter) {
		return (filter.evaluations() ? "" : NO_EVALUATION) + ((filter.displayName() != null) ? WITH_DISPLAY_NAME : "")
				+ (filter.labels().isEmpty() ? "" : WITH_LABELS) + (filter.waiting() ? WAITING : "")
				+ ((filter.prefix() != null) ? WITH_PREFIX : "");
	}

	private static String ofSession(SessionQuery query) {
		return (query.filter().sessionId() == null) ? "" : (query.owner().userId() != null) ? WITH_KEY : WITH_ID;
	}

	private static void setParameters(NativeQuery<?> select, SessionQuery query) {
		Position after = query.after();
		boolean last = query.newestFirst();
		select.setParameter("appKey", ScopeKey.ofApp(query.owner().appName()))
			.setParameter("userKey", userKey(query, last ? LAST_KEY : FIRST_KEY))
			.setParameter("time", (after != null) ? after.time() : last ? LAST_TIME : FIRST_TIME)
			.setParameter("id", (after != null) ? after.sessionId() : "");
		setFilter(select, query.filter());
		setSession(select, query);
	}

	private static void setSession(Query select, SessionQuery query) {
		String sessionId = query.filter().sessionId();
		if (sessionId != null && query.owner().userId() != null) {
			select.setParameter("nameKey", ScopeKey.of(new SessionName(query.owner(), sessionId)));
		}
		else if (sessionId != null) {
			select.setParameter("sessionId", sessionId);
		}
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

	private static void setFilter(Query select, Filter filter) {
		if (!filter.evaluations()) {
			select.setParameter("evaluationPrefixes", Filter.EVALUATION_PREFIXES.toArray(String[]::new));
		}
		if (filter.displayName() != null) {
			select.setParameter("displayName", filter.displayName());
		}
		if (!filter.labels().isEmpty()) {
			select.setParameter("labelKeys", filter.labels().keySet().toArray(String[]::new))
				.setParameter("labelValues", filter.labels().values().toArray(String[]::new));
		}
		if (filter.prefix() != null) {
			select.setParameter("prefix", filter.prefix());
		}
	}

}
