package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import org.springframework.stereotype.Repository;

import dev.agentsessions.session.SessionQuery;
import dev.agentsessions.session.SessionQuery.Filter;
import dev.agentsessions.session.SessionQuery.Position;
import dev.agentsessions.session.StateOwner;

/**
 * Lists sessions in the order of the index {@code sessions_by_update} from a place on, so
 * that a page costs the same wherever it is.
 */
@Repository
class SessionList {

	private static final UUID FIRST_KEY = new UUID(0, 0);

	private static final UUID LAST_KEY = new UUID(-1, -1);

	private static final Instant FIRST_TIME = Instant.parse("0001-01-01T00:00:00Z");

	private static final Instant LAST_TIME = Instant.parse("9999-12-31T00:00:00Z");

	private static final String LIVE = " and (expire_time is null or expire_time > statement_timestamp())";

	private static final String NO_EVALUATION = " and not starts_with(id, :evaluationPrefix)";

	private static final String WITH_DISPLAY_NAME = " and display_name = :displayName";

	private static final String WITH_LABELS = """
			 and not exists (
			   select from unnest(cast(:labelKeys as text[]), cast(:labelValues as text[])) as wanted (key, value)
			   where labels ->> wanted.key is distinct from wanted.value)
			""";

	private final EntityManager entityManager;

	SessionList(EntityManager entityManager) {
		this.entityManager = entityManager;
	}

	/** Finds one session more than the query's limit, if there is one. */
	List<SessionEntity> find(SessionQuery query) {
		Position behind = query.behind();
		boolean last = query.newestFirst();
		Instant time = (behind != null) ? behind.lastUpdateTime() : last ? LAST_TIME : FIRST_TIME;
		Query select = this.entityManager.createNativeQuery(sql(query), SessionEntity.class)
			.setParameter("appKey", ScopeKey.of(new StateOwner(query.appName(), null)))
			.setParameter("userKey", userKey(query, last ? LAST_KEY : FIRST_KEY))
			.setParameter("lastUpdateTime", time)
			.setParameter("id", (behind != null) ? behind.sessionId() : "")
			.setMaxResults(query.limit() + 1);
		setParameters(select, query.filter());
		@SuppressWarnings("unchecked")
		List<SessionEntity> found = select.getResultList();
		return found;
	}

	private static String sql(SessionQuery query) {
		String comparison = query.newestFirst() ? "<" : ">";
		String direction = query.newestFirst() ? " desc" : "";
		String place = (query.userId() != null)
				? " and user_key = :userKey and (last_update_time, id) %s (:lastUpdateTime, :id)".formatted(comparison)
				: " and (user_key, last_update_time, id) %s (:userKey, :lastUpdateTime, :id)".formatted(comparison);
		String order = " order by user_key%1$s, last_update_time%1$s, id%1$s".formatted(direction);
		return "select * from sessions where app_key = :appKey" + place + LIVE + conditions(query.filter()) + order;
	}

	/**
	 * Only what is asked for, because PostgreSQL takes conditions that may or may not
	 * apply for very selective, and then reads and sorts all sessions.
	 */
	private static String conditions(Filter filter) {
		return (filter.evaluations() ? "" : NO_EVALUATION) + ((filter.displayName() != null) ? WITH_DISPLAY_NAME : "")
				+ (filter.labels().isEmpty() ? "" : WITH_LABELS);
	}

	/** The user that is listed, or behind whom the list goes on. */
	private static UUID userKey(SessionQuery query, UUID ofFirstPage) {
		String userId = (query.behind() != null) ? query.behind().userId() : query.userId();
		return (userId != null) ? ScopeKey.of(new StateOwner(query.appName(), userId)) : ofFirstPage;
	}

	private static void setParameters(Query select, Filter filter) {
		if (!filter.evaluations()) {
			select.setParameter("evaluationPrefix", Filter.EVALUATION_PREFIX);
		}
		if (filter.displayName() != null) {
			select.setParameter("displayName", filter.displayName());
		}
		if (!filter.labels().isEmpty()) {
			select.setParameter("labelKeys", filter.labels().keySet().toArray(String[]::new))
				.setParameter("labelValues", filter.labels().values().toArray(String[]::new));
		}
	}

}
