package dev.agentsessions.postgres;

import java.sql.Connection;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.postgres.StatementRecorder.Recorded;

/**
 * How PostgreSQL carries out the statements that an action really executes: planned for
 * the values at hand and, what is read, planned for any values, too, as PostgreSQL does
 * after a prepared statement was used a few times.
 */
public class QueryPlans {

	private static final Pattern NEEDS_TYPES = Pattern.compile("^(insert|update|delete) |unnest\\(\\$1\\)");

	private static final Pattern ROWS_OF_INDEX = Pattern
		.compile("Index (?:Only )?Scan .*actual rows=([0-9.]+) loops=([0-9]+)");

	private static final Pattern ROWS = Pattern.compile("actual rows=([0-9.]+) loops=([0-9]+)");

	private static final Pattern REMOVED_ROWS = Pattern.compile("Rows Removed by [^:]+: ([0-9]+)");

	private static final Pattern PAGES = Pattern.compile("^ +Buffers: shared( hit=(\\d+))?( read=(\\d+))?");

	private final JdbcTemplate jdbc;

	private final JdbcTemplate withoutProtocolParameters;

	public QueryPlans(JdbcTemplate jdbc, JdbcConnectionDetails database) {
		this.jdbc = jdbc;
		this.withoutProtocolParameters = new JdbcTemplate(withoutProtocolParameters(database));
	}

	/** Plans as the service's connections do, without reading tables as a whole. */
	private static DataSource withoutProtocolParameters(JdbcConnectionDetails database) {
		Properties properties = new Properties();
		properties.setProperty("user", database.getUsername());
		properties.setProperty("password", database.getPassword());
		properties.setProperty("preferQueryMode", "simple");
		properties.setProperty("options", "-c enable_seqscan=off");
		return new DriverManagerDataSource(database.getJdbcUrl(), properties);
	}

	/** The plans of an action's statements, in the order of their execution. */
	public List<List<String>> of(Runnable action) {
		List<Recorded> statements = StatementRecorder.record(action);
		return forEach(statements,
				(statement) -> Stream.concat(forTheseValues(statement), forAnyValues(statement, settings(statements)))
					.toList());
	}

	/**
	 * The plans as they were when the tables were empty; a service keeps them for long.
	 */
	List<List<String>> ofEmptyTables(Runnable action) {
		List<Recorded> statements = StatementRecorder.record(action);
		return inTransaction(() -> {
			Stream.of("sessions", "events", "state", "pending_calls").forEach(this::hideBehindAnEmptyTable);
			return forEach(statements, (statement) -> forTheseValues(statement).toList());
		});
	}

	/** How many rows an action that reads takes from indexes, about. */
	public long rowsRead(Runnable action) {
		return Math.round(analyzed(action).stream()
			.flatMap(List::stream)
			.map(ROWS_OF_INDEX::matcher)
			.filter(Matcher::find)
			.mapToDouble((scan) -> Double.parseDouble(scan.group(1)) * Double.parseDouble(scan.group(2)))
			.sum());
	}

	/**
	 * How many rows all steps of an action that reads pass on or filter out, about.
	 */
	public long rowsProcessed(Runnable action) {
		return Math.round(analyzed(action).stream().mapToDouble(QueryPlans::rowsProcessed).sum());
	}

	/** PostgreSQL gives the rows of a step as a mean over its loops. */
	private static double rowsProcessed(List<String> plan) {
		double rows = 0;
		double loops = 0;
		for (String line : plan) {
			Matcher step = ROWS.matcher(line);
			Matcher removed = REMOVED_ROWS.matcher(line);
			if (step.find()) {
				loops = Double.parseDouble(step.group(2));
				rows += Double.parseDouble(step.group(1)) * loops;
			}
			else if (removed.find()) {
				rows += Double.parseDouble(removed.group(1)) * loops;
			}
		}
		return rows;
	}

	/**
	 * What statements that were recorded take from tables, indexes and large values, also
	 * to send their rows.
	 */
	Work work(List<Recorded> statements) {
		return forEach(statements,
				(statement) -> workOf(this.jdbc.query(
						"explain (analyze, buffers, serialize text, costs off, timing off) " + statement.sql(),
						statement::setParameters, (row, number) -> row.getString(1))))
			.stream()
			.reduce(new Work(0, 0), Work::plus);
	}

	/** The first step has the pages of all steps; planning has some of its own. */
	private static Work workOf(List<String> plan) {
		double rows = 0;
		double loops = 0;
		long pages = 0;
		boolean counted = false;
		for (String line : plan) {
			Matcher scan = ROWS_OF_INDEX.matcher(line);
			Matcher step = ROWS.matcher(line);
			Matcher removed = REMOVED_ROWS.matcher(line);
			Matcher buffers = PAGES.matcher(line);
			if (line.startsWith("Serialization") || line.startsWith("Planning:")) {
				counted = line.startsWith("Planning:");
			}
			else if (step.find()) {
				loops = Double.parseDouble(step.group(2));
				rows += scan.find() ? Double.parseDouble(step.group(1)) * loops : 0;
			}
			else if (removed.find()) {
				rows += Double.parseDouble(removed.group(1)) * loops;
			}
			else if (buffers.find() && !counted) {
				pages += Stream.of(buffers.group(2), buffers.group(4)).mapToLong(QueryPlans::number).sum();
				counted = true;
			}
		}
		return new Work(Math.round(rows), pages);
	}

	private static long number(@Nullable String digits) {
		return (digits != null) ? Long.parseLong(digits) : 0;
	}

	/** The plans with what each step really did. */
	private List<List<String>> analyzed(Runnable action) {
		return forEach(StatementRecorder.record(action),
				(statement) -> this.jdbc.query("explain (analyze, costs off, timing off) " + statement.sql(),
						statement::setParameters, (row, number) -> row.getString(1)));
	}

	/**
	 * Looks at all statements but those that control the transaction, with the same
	 * settings.
	 */
	private <T> List<T> forEach(List<Recorded> statements, Function<Recorded, T> look) {
		return inTransaction(() -> {
			settings(statements).forEach(this.jdbc::execute);
			return statements.stream().filter((statement) -> !statement.isControl()).map(look).toList();
		});
	}

	private <T> T inTransaction(Supplier<T> look) {
		return new TransactionTemplate(new JdbcTransactionManager(this.jdbc.getDataSource())).execute((status) -> {
			status.setRollbackOnly();
			return look.get();
		});
	}

	/** What of the statements tells PostgreSQL how to plan those that follow. */
	private static List<String> settings(List<Recorded> statements) {
		return statements.stream().map(Recorded::sql).filter((sql) -> sql.startsWith("set local enable_")).toList();
	}

	private void hideBehindAnEmptyTable(String table) {
		this.jdbc.execute("create temporary table %1$s (like public.%1$s including all)".formatted(table));
		this.jdbc.execute("analyze " + table);
	}

	private Stream<String> forTheseValues(Recorded statement) {
		return Stream.of(String.join("\n", this.jdbc.query("explain " + statement.sql(), statement::setParameters,
				(row, number) -> row.getString(1))));
	}

	/** Only where parameters have types without a driver that tells them. */
	private Stream<String> forAnyValues(Recorded statement, List<String> settings) {
		return Stream.of(numbered(statement.sql()))
			.filter((sql) -> !NEEDS_TYPES.matcher(sql).find())
			.map((sql) -> String.join("\n", genericPlan(sql, settings)));
	}

	private List<String> genericPlan(String sql, List<String> settings) {
		return this.withoutProtocolParameters.execute((Connection connection) -> {
			connection.setAutoCommit(false);
			JdbcTemplate planner = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			settings.forEach(planner::execute);
			return planner.queryForList("explain (generic_plan) " + sql, String.class);
		});
	}

	/** PostgreSQL's own parameters instead of JDBC's; there is no other question mark. */
	private static String numbered(String sql) {
		StringBuilder numbered = new StringBuilder();
		int number = 0;
		for (String part : sql.split("\\?", -1)) {
			numbered.append((number == 0) ? "" : "$" + number).append(part);
			number++;
		}
		return numbered.toString();
	}

	/**
	 * What statements read.
	 *
	 * @param rows the rows that they take from indexes or leave out
	 * @param pages the pages that they look at, each time
	 */
	record Work(long rows, long pages) {

		Work plus(Work other) {
			return new Work(this.rows + other.rows, this.pages + other.pages);
		}

	}

}
