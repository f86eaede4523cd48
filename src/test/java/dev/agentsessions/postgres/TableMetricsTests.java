package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.agentsessions.session.contract.Sessions;

/** How large the tables are is known without a scrape that asks the database. */
class TableMetricsTests extends PostgresStoreTest {

	@Autowired
	private Transactions transactions;

	@Autowired
	private JdbcConnectionDetails server;

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void tellsRowsAndBytesOfEachTableOfTheSchema() {
		this.store.create(Sessions.with(Sessions.newKey(), "{\"a\":1}", "{\"id\":\"e1\"}"));
		this.jdbc.execute("analyze sessions");
		new TableMetrics(this.transactions, this.jdbc, this.registry).run();
		assertThat(gauge("agentsessions.table.rows", "sessions").value()).isPositive();
		assertThat(this.registry.find("agentsessions.table.size").gauges())
			.extracting((gauge) -> gauge.getId().getTag("table"))
			.containsExactlyInAnyOrderElementsOf(this.jdbc.queryForList(
					"select table_name from information_schema.tables where table_schema = 'public'", String.class));
		assertThat(gauge("agentsessions.table.size", "events").value())
			.isEqualTo(this.jdbc.queryForObject("select pg_total_relation_size('events')", Double.class));
	}

	@Test
	void keepsTheLastFiguresWhileTheDatabaseIsAway() {
		DriverManagerDataSource database = NewDatabase.create(this.server);
		JdbcTemplate other = new JdbcTemplate(database);
		other.execute("create table counted as select 1 from generate_series(1, 10)");
		other.execute("analyze counted");
		TableMetrics metrics = new TableMetrics(this.transactions, other, this.registry);
		metrics.run();
		database.setUrl("jdbc:postgresql://127.0.0.1:1/nowhere");
		metrics.run();
		assertThat(gauge("agentsessions.table.rows", "counted").value()).isEqualTo(10);
	}

	@Test
	void comparesTheClocksAndSeesAnArchiveThatWorks() {
		new TableMetrics(this.transactions, this.jdbc, this.registry).run();
		assertThat(this.registry.get("agentsessions.clock.skew").timeGauge().value(TimeUnit.SECONDS)).isBetween(-5.0,
				5.0);
		assertThat(this.registry.get("agentsessions.archive.failing").gauge().value()).isZero();
	}

	/**
	 * The database has a clock and an archiver of its own, which come before those of the
	 * server.
	 */
	@Test
	void tellsThatTheClockIsBehindAndTheArchiveFails() {
		DriverManagerDataSource database = NewDatabase.create(this.server);
		JdbcTemplate other = new JdbcTemplate(database);
		other.execute("create schema wrong");
		other.execute("create function wrong.clock_timestamp() returns timestamptz language sql as "
				+ "$$ select pg_catalog.clock_timestamp() - interval '1 day' $$");
		other.execute("create view wrong.pg_stat_archiver as select now() as last_failed_time, "
				+ "now() - interval '1 minute' as last_archived_time");
		database.setUrl(database.getUrl() + "&currentSchema=wrong,pg_catalog");
		new TableMetrics(this.transactions, other, this.registry).run();
		assertThat(this.registry.get("agentsessions.clock.skew").timeGauge().value(TimeUnit.SECONDS)).isBetween(86395.0,
				86460.0);
		assertThat(this.registry.get("agentsessions.archive.failing").gauge().value()).isOne();
	}

	private Gauge gauge(String name, String table) {
		return this.registry.get(name).tag("table", table).gauge();
	}

}
