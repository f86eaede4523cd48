package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Placement.OnOneMachine;
import dev.agentsessions.session.SessionException;

/**
 * Metrics of the rows and bytes of the tables, of the clock of the database and of its
 * archive of the log. They are read once a minute by a task, so a scrape never waits for
 * the database, and shows the last known values while it is away. There are none on
 * Citus, where the coordinator has almost no rows.
 */
@Component
@OnOneMachine
class TableMetrics implements SchedulingConfigurer, Runnable {

	private static final Logger logger = LoggerFactory.getLogger(TableMetrics.class);

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	/**
	 * The estimate is -1 until a table is first analyzed. Until then, the number of rows
	 * is the one counted since the server started.
	 */
	private static final String TABLES = """
			select relname, coalesce(nullif(reltuples, -1), pg_stat_get_live_tuples(c.oid)) as rows,
				pg_total_relation_size(c.oid) as bytes
			from pg_class c join pg_namespace n on n.oid = relnamespace
			where nspname = current_schema() and relkind = 'r'
			""";

	/**
	 * The clock, and whether the last attempt to archive a file of the log has failed.
	 */
	private static final String SERVER = """
			select clock_timestamp() as now,
			  coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
			from pg_stat_archiver
			""";

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final MultiGauge rows;

	private final MultiGauge bytes;

	private final AtomicLong skewMillis = new AtomicLong();

	private volatile boolean archiveFails;

	TableMetrics(Transactions transactions, JdbcTemplate jdbc, MeterRegistry registry) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.rows = MultiGauge.builder("agentsessions.table.rows")
			.description("Rows of a table, as PostgreSQL estimates them")
			.register(registry);
		this.bytes = MultiGauge.builder("agentsessions.table.size")
			.description("Size of a table on disk, with its indexes")
			.baseUnit("bytes")
			.register(registry);
		TimeGauge.builder("agentsessions.clock.skew", this.skewMillis, TimeUnit.MILLISECONDS, AtomicLong::doubleValue)
			.description("How far the clock of this replica is ahead of the clock of the database")
			.register(registry);
		Gauge.builder("agentsessions.archive.failing", this, (read) -> read.archiveFails ? 1 : 0)
			.description("1 if PostgreSQL could not archive its log the last time that it tried, otherwise 0")
			.register(registry);
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar tasks) {
		tasks.addFixedDelayTask(new FixedDelayTask(this, INTERVAL, Duration.ZERO));
	}

	@Override
	public void run() {
		try {
			this.transactions.statement(() -> this.jdbc.query(SERVER, (row, number) -> readServer(row)));
			List<Table> tables = this.transactions.statement(
					() -> this.jdbc.query(TABLES, (row, number) -> new Table(Tags.of("table", row.getString("relname")),
							row.getDouble("rows"), row.getLong("bytes"))));
			this.rows.register(tables.stream().<Row<?>>map((table) -> Row.of(table.tags(), table.rows())).toList(),
					true);
			this.bytes.register(tables.stream().<Row<?>>map((table) -> Row.of(table.tags(), table.bytes())).toList(),
					true);
		}
		catch (SessionException.Unavailable ex) {
			logger.debug("The sizes of the tables are read later, because the database does not answer", ex);
		}
	}

	/** The row has just arrived, so its time is less than a round trip old. */
	private boolean readServer(ResultSet row) throws SQLException {
		this.skewMillis.set(Duration.between(Columns.time(row, "now"), Instant.now()).toMillis());
		this.archiveFails = row.getBoolean("failing");
		return true;
	}

	/**
	 * The size of a table.
	 *
	 * @param tags the tag with its name
	 * @param rows the estimated number of its rows
	 * @param bytes its size on disk, with indexes
	 */
	private record Table(Tags tags, double rows, long bytes) {

	}

}
