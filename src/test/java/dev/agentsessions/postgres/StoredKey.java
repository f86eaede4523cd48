package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.session.SessionName;
import dev.agentsessions.support.OrphanCheck;

/** The keys under which sessions are stored, also of sessions that are gone. */
public final class StoredKey {

	private StoredKey() {
	}

	/** The key of the newest session that has, or had, a name. */
	public static UUID of(JdbcTemplate jdbc, SessionName session) {
		List<UUID> keys = jdbc.queryForList(OrphanCheck.NEWEST_KEY, UUID.class, ScopeKey.of(session));
		return keys.isEmpty() ? new UUID(0, 0) : keys.get(0);
	}

}
