package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.List;

import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import org.springframework.stereotype.Repository;

import dev.agentsessions.session.SessionQuery;
import dev.agentsessions.session.SessionQuery.Filter;
import dev.agentsessions.session.SessionQuery.Position;

/**
 * Lists sessions in the order of the index {@code sessions_by_update} from a place on, so
 * that a page costs the same wherever it is.
 */
@Repository
class SessionList {

	/** Sorts behind every text that can be a name. */
	private static final String LAST_TEXT = Character.toString(Character.MAX_CODE_POINT).repeat(2);

	private static final Position FIRST = new Position("", Instant.parse("0001-01-01T00:00:00Z"), "");

	private static final Position LAST = new Position(LAST_TEXT, Instant.parse("9999-12-31T00:00:00Z"), LAST_TEXT);

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
		Position behind = behind(query);
		Query select = this.entityManager.createNativeQuery(sql(query), SessionEntity.class)
			.setParameter("appName", query.appName())
			.setParameter("userId", behind.userId())
			.setParameter("lastUpdateTime", behind.lastUpdateTime())
			.setParameter("id", behind.sessionId())
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
				? " and user_id = :userId and (last_update_time, id) %s (:lastUpdateTime, :id)".formatted(comparison)
				: " and (user_id, last_update_time, id) %s (:userId, :lastUpdateTime, :id)".formatted(comparison);
		String order = " order by user_id%1$s, last_update_time%1$s, id%1$s".formatted(direction);
		return "select * from sessions where app_name = :appName" + place + LIVE + conditions(query.filter()) + order;
	}

	/**
	 * Only what is asked for, because PostgreSQL takes conditions that may or may not
	 * apply for very selective, and then reads and sorts all sessions.
	 */
	private static String conditions(Filter filter) {
		return (filter.evaluations() ? "" : NO_EVALUATION) + ((filter.displayName() != null) ? WITH_DISPLAY_NAME : "")
				+ (filter.labels().isEmpty() ? "" : WITH_LABELS);
	}

	private static Position behind(SessionQuery query) {
		Position behind = query.behind();
		if (behind == null) {
			behind = query.newestFirst() ? LAST : FIRST;
		}
		return (query.userId() != null) ? new Position(query.userId(), behind.lastUpdateTime(), behind.sessionId())
				: behind;
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
