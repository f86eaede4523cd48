package dev.agentsessions.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.agentsessions.postgres.StatementRecorder.Recorded;

/**
 * How many statements each request executes and, on Citus, how many shards execute each
 * statement, as a table of deploy/citus/README.md.
 */
final class RequestCosts {

	static final Path TABLE = Path.of("target", "costs-of-requests.md");

	private static final Pattern TASKS = Pattern.compile("Task Count: (\\d+)");

	/** Not recorded as a statement of a request. */
	private final JdbcTemplate extended;

	/** The same, which sends parameters within the text of a statement. */
	private final JdbcTemplate simple;

	/** The number of shards of a table; 0 if the database is not Citus. */
	private final int shards;

	private final List<String> lines = new ArrayList<>();

	RequestCosts(JdbcTemplate jdbc, JdbcConnectionDetails database) {
		this.extended = connect(database, "extended");
		this.simple = connect(database, "simple");
		boolean citus = Boolean.TRUE.equals(
				jdbc.queryForObject("select exists (select from pg_extension where extname = 'citus')", Boolean.class));
		this.shards = citus ? jdbc.queryForList("""
				select shardid from pg_dist_shard where logicalrelid = 'sessions'::regclass""").size() : 0;
		this.lines.add(citus ? "| request | statements | of one shard | of several | of all | of none |"
				: "| request | statements |");
		this.lines.add("|---".repeat(citus ? 6 : 2) + "|");
	}

	private static JdbcTemplate connect(JdbcConnectionDetails database, String mode) {
		String url = database.getJdbcUrl();
		return new JdbcTemplate(
				new DriverManagerDataSource(url + (url.contains("?") ? "&" : "?") + "preferQueryMode=" + mode,
						database.getUsername(), database.getPassword()));
	}

	/** Adds a request and its statements; a batch has a statement for each row. */
	void add(String request, List<Recorded> statements) {
		List<Integer> tasks = statements.stream()
			.filter((statement) -> !statement.isControl())
			.flatMap((statement) -> Stream.generate(() -> statement).limit(Math.max(1, statement.batch().size())))
			.flatMap((statement) -> tasks(statement).stream())
			.toList();
		Stream<Long> counts = (this.shards > 0)
				? Stream.of((long) tasks.size(), count(tasks, 1, 1), count(tasks, 2, this.shards - 1),
						count(tasks, this.shards, Integer.MAX_VALUE), count(tasks, 0, 0))
				: Stream.of((long) tasks.size());
		this.lines.add("| `%s` | ".formatted(request)
				+ counts.map((count) -> (count > 0) ? count.toString() : "").collect(Collectors.joining(" | ")) + " |");
	}

	private static long count(List<Integer> tasks, int min, int max) {
		return tasks.stream().filter((count) -> count >= min && count <= max).count();
	}

	/**
	 * The tasks of each statement of a text that may have several; an option, which may
	 * come before them, has none.
	 */
	private List<Integer> tasks(Recorded recorded) {
		List<String> texts = Stream.of(recorded.sql().split(";\\s+"))
			.filter((text) -> !text.startsWith("set "))
			.toList();
		return plans("explain " + String.join("; explain ", texts), recorded);
	}

	/** Citus explains an insert from a query only with its values. */
	private List<Integer> plans(String sql, Recorded recorded) {
		try {
			return plans(this.extended, sql, recorded);
		}
		catch (BadSqlGrammarException ex) {
			return plans(this.simple, sql, recorded);
		}
	}

	private static List<Integer> plans(JdbcTemplate jdbc, String sql, Recorded recorded) {
		return jdbc.execute(sql, (PreparedStatementCallback<List<Integer>>) (statement) -> {
			recorded.setParameters(statement);
			List<Integer> tasks = new ArrayList<>();
			boolean more = statement.execute();
			while (more) {
				tasks.add(tasks(statement.getResultSet()));
				more = statement.getMoreResults();
			}
			return tasks;
		});
	}

	private static int tasks(ResultSet plan) throws SQLException {
		int tasks = 0;
		while (plan.next()) {
			Matcher count = TASKS.matcher(plan.getString(1));
			tasks += count.find() ? Integer.parseInt(count.group(1)) : 0;
		}
		return tasks;
	}

	void write() {
		try {
			Files.write(TABLE, this.lines);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
