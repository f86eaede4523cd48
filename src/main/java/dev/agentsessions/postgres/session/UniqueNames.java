package dev.agentsessions.postgres.session;

import java.util.Optional;
import java.util.UUID;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.OnOneMachine;

/** A constraint of {@code sessions} makes names unique. */
@Component
@OnOneMachine
class UniqueNames implements SessionNames {

	private static final String FIND = "select session_key from sessions where name_key = ?";

	private final JdbcTemplate jdbc;

	UniqueNames(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@Override
	public Optional<UUID> find(UUID nameKey) {
		return DataAccessUtils.optionalResult(this.jdbc.queryForList(FIND, UUID.class, nameKey));
	}

	@Override
	public boolean claim(UUID nameKey, UUID sessionKey) {
		return true;
	}

	@Override
	public void release(UUID nameKey, UUID sessionKey) {
	}

}
