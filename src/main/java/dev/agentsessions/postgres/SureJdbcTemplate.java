package dev.agentsessions.postgres;

import java.sql.SQLWarning;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.jdbc.SQLWarningException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Executes statements, and fails if a commit is not sure. When a statement is cancelled
 * while its commit waits for a synchronous replica, PostgreSQL ends the wait, reports
 * success, and adds a warning.
 */
abstract class SureJdbcTemplate extends JdbcTemplate {

	/** Where PostgreSQL waits for replicas. Unlike messages, this is not translated. */
	private static final String WAIT_FOR_REPLICA = "SyncRepWaitForLSN";

	SureJdbcTemplate(DataSource dataSource, DatabaseTimeouts timeouts) {
		super(dataSource);
		setQueryTimeout(Math.toIntExact(timeouts.duration().toSeconds()));
		setIgnoreWarnings(false);
	}

	/**
	 * @throws SQLWarningException if the write is committed, but a replica may not have
	 * it
	 */
	@Override
	protected void handleWarnings(@Nullable SQLWarning first) {
		for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
			if (warning instanceof PSQLWarning ofServer && isNotSure(ofServer.getServerErrorMessage())) {
				throw new SQLWarningException("No synchronous replica has confirmed the write", warning);
			}
		}
	}

	private static boolean isNotSure(@Nullable ServerErrorMessage message) {
		return message != null && WAIT_FOR_REPLICA.equals(message.getRoutine());
	}

}
