package dev.agentsessions.postgres.session;

import java.util.Optional;
import java.util.UUID;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Placement.OnOneMachine;

/** Which session has a name. A name belongs to one session at a time. */
public interface SessionNames {

	/** Returns the key of the session that has a name. */
	Optional<UUID> find(UUID nameKey);

	/**
	 * Takes a name, within the transaction that inserts the session.
	 * @return {@code false} if another session has it; {@code true} if it is free, or if
	 * the insert itself finds that out
	 */
	boolean claim(UUID nameKey, UUID sessionKey);

	/** Makes the name free, within the transaction that deletes the session. */
	void release(UUID nameKey, UUID sessionKey);

	/** A constraint of {@code sessions} makes names unique. */
	@Component
	@OnOneMachine
	class Unique implements SessionNames {

		private static final String FIND = "select session_key from sessions where name_key = ?";

		private final JdbcTemplate jdbc;

		Unique(JdbcTemplate jdbc) {
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

}
