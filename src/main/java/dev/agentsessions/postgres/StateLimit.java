package dev.agentsessions.postgres;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.StateChanges.Row;
import dev.agentsessions.session.LimitProperties;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;

/**
 * Keeps the state of each owner below a limit without measuring it at every change. This
 * replica counts the bytes that it sets in each state. A change with which they would be
 * more than a tenth of the limit is measured: in its own transaction, after it has
 * changed the state, and it is taken back if the state has become too large. So what is
 * refused is refused exactly, and a state can outgrow the limit by a tenth for each
 * replica, and each time that one forgets its count.
 */
@Component
class StateLimit {

	private static final String OF_APP = "The state of the app";

	private static final String OF_USER = "The state of the user";

	private static final int SHARE = 10;

	/** Beyond, the counts of states that were not written to for long begin anew. */
	private static final int MAX_STATES = 100_000;

	private static final String SIZE = """
			select coalesce(sum(octet_length(key) + octet_length(value::text)), 0) from state
			where scope_key = ? and value is not null
			""";

	private final LoadingCache<UUID, AtomicLong> unmeasured = Caffeine.newBuilder()
		.maximumSize(MAX_STATES)
		.expireAfterAccess(Duration.ofHours(1))
		.build((scopeKey) -> new AtomicLong());

	private final long limit;

	private final JdbcTemplate jdbc;

	StateLimit(LimitProperties properties, JdbcTemplate jdbc) {
		this.limit = properties.stateSize().toBytes();
		this.jdbc = jdbc;
	}

	/** Counts a change, and gives the states that have to be measured after it. */
	Set<UUID> count(List<Row> changes) {
		Map<UUID, Long> sizes = new HashMap<>();
		changes.stream()
			.filter((row) -> !row.isRemoval())
			.forEach((row) -> sizes.merge(row.scopeKey(), row.bytes(), Long::sum));
		Set<UUID> due = new HashSet<>();
		sizes.forEach((scopeKey, size) -> {
			if (isDue(this.unmeasured.get(scopeKey), size)) {
				due.add(scopeKey);
			}
		});
		return due;
	}

	private boolean isDue(AtomicLong count, long size) {
		long most = this.limit / SHARE - size;
		return count.getAndUpdate((bytes) -> (bytes > most) ? bytes : bytes + size) > most;
	}

	/** Measures states that the writer of a session has changed. */
	void check(Set<UUID> due, SessionKey key) {
		if (!due.isEmpty()) {
			check(due, Map.of(ScopeKey.of(key.app()), OF_APP, ScopeKey.of(key.user()), OF_USER));
		}
	}

	/** Measures the state of an owner that has been changed. */
	void check(Set<UUID> due, StateOwner owner) {
		check(due, Map.of(ScopeKey.of(owner), (owner.userId() != null) ? OF_USER : OF_APP));
	}

	/**
	 * Measures states within the transaction that has changed them.
	 * @param due the states to measure
	 * @param names what each of them is called
	 * @throws SessionException.PayloadTooLarge if one is too large
	 */
	private void check(Set<UUID> due, Map<UUID, String> names) {
		for (UUID scopeKey : due) {
			Long size = this.jdbc.queryForObject(SIZE, Long.class, scopeKey);
			if (size != null && size > this.limit) {
				throw new SessionException.PayloadTooLarge(names.getOrDefault(scopeKey, "The state of the session"),
						this.limit, "bytes", "agent-sessions.limits.state-size");
			}
			this.unmeasured.get(scopeKey).set(0);
		}
	}

}
