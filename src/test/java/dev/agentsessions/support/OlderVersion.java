package dev.agentsessions.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An older version of the service, which checked less of an event before it stored it.
 */
public final class OlderVersion {

	private OlderVersion() {
	}

	/** Replaces an event of an app by one that this version would refuse. */
	public static void stored(JdbcTemplate jdbc, String app, String eventId, String body) {
		assertThat(jdbc.update("""
				update events set body = ?::json, size = ? where id = ?
				  and session_key in (select session_key from sessions where app_name = ?)
				""", body, body.length(), eventId, app)).isEqualTo(1);
	}

}
