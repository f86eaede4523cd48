package dev.agentsessions.postgres.state;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionProperties.LimitProperties;
import dev.agentsessions.state.StateScope;

/**
 * Limits the state of each owner without measuring it at every change. This replica
 * counts the bytes that it writes to each state. A change that brings the count above a
 * tenth of the limit measures the state, in its own transaction and after the change. If
 * the state is too large then, the change is rolled back. So a change is refused only if
 * the state is really too large. A state can exceed the limit by a tenth for each
 * replica, and by a tenth more each time that a replica drops its count.
 */
@Component
public class StateSizeLimit {

	/** One part in this number of the limit may be written before a state is measured. */
	private static final int SHARE_OF_LIMIT = 10;

	/** Maximum number of counts; above it, the least used counts are dropped. */
	private static final int MAX_STATES = 100_000;

	private static final String SIZE = """
			select coalesce(sum(octet_length(key) + octet_length(value::text)), 0) from state
			where scope_key = ? and value is not null
			""";

	private static final String SIZE_OF_INITIAL = """
			select coalesce(sum(octet_length(key) + octet_length(value::text)), 0) from initial_state where session_key = ?
			""";

	private final LoadingCache<UUID, AtomicLong> unmeasured = Caffeine.newBuilder()
		.maximumSize(MAX_STATES)
		.expireAfterAccess(Duration.ofHours(1))
		.build((scopeKey) -> new AtomicLong());

	private final long limit;

	private final JdbcTemplate jdbc;

	StateSizeLimit(LimitProperties properties, JdbcTemplate jdbc) {
		this.limit = properties.stateSize().toBytes();
		this.jdbc = jdbc;
	}

	/** Counts changes, and returns the states that have to be measured after them. */
	public Map<UUID, StateScope> count(List<StateRow> changes) {
		Map<UUID, StateScope> due = new HashMap<>();
		Map<UUID, Long> sizes = new HashMap<>();
		for (StateRow row : changes) {
			if (!row.isRemoval()) {
				due.put(row.scopeKey(), row.scope());
				sizes.merge(row.scopeKey(), row.bytes(), Long::sum);
			}
		}
		due.keySet().removeIf((scopeKey) -> !isDue(this.unmeasured.get(scopeKey), sizes.getOrDefault(scopeKey, 0L)));
		return due;
	}

	private boolean isDue(AtomicLong count, long size) {
		long max = this.limit / SHARE_OF_LIMIT - size;
		return count.getAndUpdate((bytes) -> (bytes > max) ? bytes : bytes + size) > max;
	}

	/**
	 * Measures states within the transaction that has changed them.
	 * @throws SessionException.TooLarge if one is too large
	 */
	public void check(Map<UUID, StateScope> due) {
		due.forEach((scopeKey, scope) -> {
			check("The state of the " + scope.name().toLowerCase(Locale.ROOT), SIZE, scopeKey);
			this.unmeasured.get(scopeKey).set(0);
		});
	}

	/**
	 * Measures the initial state of a session within the transaction that has written it.
	 * @throws SessionException.TooLarge if it is too large
	 */
	void checkInitial(UUID sessionKey) {
		check("The initial state of the session", SIZE_OF_INITIAL, sessionKey);
	}

	private void check(String what, String sql, UUID key) {
		Long size = this.jdbc.queryForObject(sql, Long.class, key);
		if (size != null && size > this.limit) {
			throw new SessionException.TooLarge(what, this.limit, "bytes", "agent-sessions.limits.state-size");
		}
	}

}
