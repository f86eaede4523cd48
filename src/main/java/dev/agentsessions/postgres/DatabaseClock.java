package dev.agentsessions.postgres;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** The one clock that stamps and ends sessions, whichever machine serves them. */
@Component
class DatabaseClock {

	private final JdbcTemplate jdbc;

	DatabaseClock(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** The time, in microseconds. */
	Instant now() {
		return Objects.requireNonNull(this.jdbc.queryForObject("select statement_timestamp()", OffsetDateTime.class))
			.toInstant();
	}

}
