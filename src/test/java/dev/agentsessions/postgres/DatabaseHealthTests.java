package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.sql.SQLException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.OutageConfiguration.FailFastDataSource;
import dev.agentsessions.session.SessionException;

/** Which failed requests the line about an outage explains. */
@PostgresTest
class DatabaseHealthTests {

	@Autowired
	private DataSource database;

	@Test
	void explainsARefusalAlsoWhenTheOutageHasEnded() throws SQLException {
		FailFastDataSource connections = new FailFastDataSource(this.database.unwrap(HikariDataSource.class));
		DatabaseHealth health = new DatabaseHealth(connections, new SimpleMeterRegistry());
		connections.setAway(true);
		Throwable refusal = catchThrowable(connections::getConnection);
		connections.setAway(false);
		assertThat(health.explains(new SessionException.Unavailable(refusal))).isTrue();
	}

	@Test
	void doesNotExplainAnotherFailureWhileTheDatabaseResponds() throws SQLException {
		FailFastDataSource connections = new FailFastDataSource(this.database.unwrap(HikariDataSource.class));
		DatabaseHealth health = new DatabaseHealth(connections, new SimpleMeterRegistry());
		assertThat(health.explains(new SessionException.Unavailable(new SQLException("no more locks")))).isFalse();
		assertThat(health.explains(new SessionException.Unavailable("too many requests"))).isFalse();
	}

}
