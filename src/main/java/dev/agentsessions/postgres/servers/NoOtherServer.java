package dev.agentsessions.postgres.servers;

import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.startup.StartupException;

/**
 * Refuses to start without further servers if users are on one: their sessions would seem
 * to be gone, and new ones would be stored on the wrong server.
 */
@Component
class NoOtherServer implements SmartLifecycle {

	/** Whether a server says where buckets are, as only the main server does. */
	static final String MOVED = "select exists (select from buckets)";

	private final ServersProperties properties;

	private final JdbcTemplate jdbc;

	NoOtherServer(ServersProperties properties, JdbcTemplate jdbc) {
		this.properties = properties;
		this.jdbc = jdbc;
	}

	/** Right after the tables are there, before anything writes to them. */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE + 1;
	}

	@Override
	public void start() {
		if (this.properties.servers().isEmpty()
				&& Boolean.TRUE.equals(this.jdbc.queryForObject(MOVED, Boolean.class))) {
			throw new StartupException("Some users are on another server, and the settings name none.",
					"Set agent-sessions.servers.NAME.url for each name in the table 'buckets'.");
		}
	}

	@Override
	public void stop() {
		// There is nothing to stop
	}

	@Override
	public boolean isRunning() {
		return false;
	}

}
