package dev.agentsessions.postgres.citus;

import java.util.Optional;
import java.util.UUID;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.session.SessionNames;

/**
 * A table that is distributed by the name makes names unique, because a table that is
 * distributed by the key of the session cannot.
 */
@Component
@ConditionalOnBooleanProperty("agent-sessions.distributed")
class DistributedNames implements SessionNames {

	private static final String FIND = "select session_key from session_names where name_key = ?";

	private static final String CLAIM = """
			insert into session_names (name_key, session_key) values (?, ?) on conflict (name_key) do nothing
			""";

	private static final String RELEASE = "delete from session_names where name_key = ? and session_key = ?";

	private final JdbcTemplate jdbc;

	DistributedNames(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@Override
	public Optional<UUID> find(UUID nameKey) {
		return DataAccessUtils.optionalResult(this.jdbc.queryForList(FIND, UUID.class, nameKey));
	}

	@Override
	public boolean claim(UUID nameKey, UUID sessionKey) {
		return this.jdbc.update(CLAIM, nameKey, sessionKey) > 0;
	}

	@Override
	public void release(UUID nameKey, UUID sessionKey) {
		this.jdbc.update(RELEASE, nameKey, sessionKey);
	}

}
