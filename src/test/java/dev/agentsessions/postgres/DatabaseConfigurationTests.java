package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;
import org.springframework.util.unit.DataSize;

import dev.agentsessions.postgres.Lanes.AppendProperties;
import dev.agentsessions.postgres.Placement.OneMachine;
import dev.agentsessions.postgres.citus.Distributed;

class DatabaseConfigurationTests {

	/** On distributed tables each append is stored alone. */
	@ParameterizedTest
	@CsvSource({ "false, 3, 2", "true, 5, 0" })
	void dividesTheConnectionsOfThePool(boolean distributed, int writes, int groups) throws SQLException {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setMaximumPoolSize(8);
			Lanes lanes = new DatabaseConfiguration().lanes(pool, new DatabaseTimeouts(new JdbcProperties()),
					new AppendProperties(64, 2, null, DataSize.ofKilobytes(64)),
					distributed ? new Distributed() : new OneMachine(), Readers.NO_SHARES, new SimpleMeterRegistry());
			assertThat(lanes.writes().connections()).isEqualTo(writes);
			assertThat(lanes.groups().connections()).isEqualTo(groups);
			assertThat(lanes.heavy().connections()).isEqualTo(2);
			assertThat(lanes.reads().connections()).isEqualTo(9);
		}
	}

}
