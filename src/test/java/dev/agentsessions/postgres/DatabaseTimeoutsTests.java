package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;

class DatabaseTimeoutsTests {

	private final JdbcProperties properties = new JdbcProperties();

	@Test
	void takesSecondsOrNoLimit() {
		this.properties.getTemplate().setQueryTimeout(Duration.ofSeconds(1));
		assertThat(new DatabaseTimeouts(this.properties).duration()).isEqualTo(Duration.ofSeconds(1));
		this.properties.getTemplate().setQueryTimeout(Duration.ZERO);
		assertThat(new DatabaseTimeouts(this.properties).duration()).isZero();
	}

	/** JDBC counts in seconds, and 0 means no limit. */
	@ParameterizedTest
	@ValueSource(strings = { "PT0.5S", "PT-5S" })
	void refusesWhatWouldBeNoLimit(Duration timeout) {
		this.properties.getTemplate().setQueryTimeout(timeout);
		assertThatIllegalArgumentException().isThrownBy(() -> new DatabaseTimeouts(this.properties))
			.withMessageContaining("spring.jdbc.template.query-timeout");
	}

}
