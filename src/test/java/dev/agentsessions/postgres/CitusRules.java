package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import dev.agentsessions.postgres.StatementRecorder.Recorded;
import dev.agentsessions.postgres.lifecycle.OwnedTables;

/**
 * Fails a test that executes a statement that Citus refuses, or takes apart on the
 * coordinator. So each statement of a test class with distributed tables is checked where
 * there is no Citus.
 */
public final class CitusRules implements BeforeEachCallback, AfterEachCallback {

	/** Rows of it are under the key of a session, of a user or of an app. */
	private static final String TABLE_OF_ANY_OWNER = "state";

	private static final Map<String, String> FIRST_COLUMNS = firstColumns();

	/** A part of a statement, or what is no part: what stands between parentheses. */
	private static final Pattern INNERMOST = Pattern.compile("\\([^()]*\\)");

	private static final Pattern TEXT = Pattern.compile("'[^']*'");

	private static final Pattern MATERIALIZED = Pattern.compile("\\bas materialized \\(");

	/** Citus computes what is inserted before it looks at the statement. */
	private static final Pattern VALUES = Pattern.compile("\\bvalues \\(");

	private static final Pattern MODIFIES = Pattern.compile("\\b(insert into|update \\w+ set|delete from)\\b");

	private static final String TIME = "(statement_timestamp|transaction_timestamp|clock_timestamp|\\bnow)\\(";

	private static final Pattern TIME_WITHIN_CHOICE = Pattern.compile("\\bcase\\b((?!\\bend\\b).)*" + TIME
			+ "|\\bcoalesce\\(([^()]|\\([^()]*\\))*" + TIME + "|\\bon conflict\\b.*\\bwhere\\b.*" + TIME);

	private static final Pattern INSERT_WITHIN = Pattern.compile("\\( ?insert into ");

	private static final Pattern CHANGE_WITHIN = Pattern.compile("\\( ?(update|delete) ");

	/** The rules, by what breaks them. */
	private static final Map<String, Predicate<String>> BROKEN = Map.of(
			"A modification chooses by a function of time in case, coalesce or on conflict", CitusRules::choosesByTime,
			"An insert is a part of another statement", INSERT_WITHIN.asPredicate(),
			"An update or a delete within another statement does not say whose rows it changes",
			CitusRules::changesUnknownRows, "What is stored by session is joined with what is stored by user",
			CitusRules::joinsOtherRows, "An exists says whose rows it looks for, and another one beside it does not",
			CitusRules::looksInTwoWays);

	private List<Recorded> statements = List.of();

	@Override
	public void beforeEach(ExtensionContext context) {
		this.statements = StatementRecorder.start();
	}

	/** The statements of this test so far. */
	List<Recorded> recorded() {
		return List.copyOf(this.statements);
	}

	/** The texts of the statements of this test so far. */
	Stream<String> statements() {
		return this.statements.stream().map(Recorded::sql).distinct();
	}

	@Override
	public void afterEach(ExtensionContext context) {
		StatementRecorder.stop();
		assertThat(statements().flatMap(CitusRules::broken)).isEmpty();
	}

	private static Stream<String> broken(String sql) {
		String plain = TEXT.matcher(sql.replaceAll("\\s+", " ")).replaceAll("''").replace("( ", "(");
		return BROKEN.entrySet()
			.stream()
			.filter((rule) -> inOneRoundTrip(plain).anyMatch(rule.getValue()))
			.map((rule) -> rule.getKey() + ": " + sql);
	}

	/** Citus gets each statement of a round trip for itself. */
	private static Stream<String> inOneRoundTrip(String sql) {
		return Stream.of(sql.split(";"));
	}

	private static boolean choosesByTime(String sql) {
		return MODIFIES.matcher(sql).find() && TIME_WITHIN_CHOICE.matcher(split(sql, VALUES).get(0)).find();
	}

	private static boolean changesUnknownRows(String sql) {
		return parts(sql).stream().filter(CHANGE_WITHIN.asPredicate()).anyMatch((part) -> !saysWhose(part));
	}

	private static boolean joinsOtherRows(String sql) {
		return split(sql, MATERIALIZED).stream()
			.anyMatch((part) -> tables(part).map((table) -> isOfSession(table)).distinct().count() > 1);
	}

	/** Citus executes the one for itself on the coordinator, which needs columns. */
	private static boolean looksInTwoWays(String sql) {
		return parts(sql).stream()
			.filter((part) -> part.startsWith("(select from ") && tables(part).findAny().isPresent())
			.map(CitusRules::saysWhose)
			.distinct()
			.count() > 1;
	}

	private static boolean isOfSession(String table) {
		return "session_key".equals(FIRST_COLUMNS.get(table));
	}

	private static Stream<String> tables(String sql) {
		return FIRST_COLUMNS.keySet()
			.stream()
			.filter((table) -> !table.equals(TABLE_OF_ANY_OWNER))
			.filter((table) -> Pattern.compile("\\b(from|join|into|update) " + table + "\\b").matcher(sql).find());
	}

	/** The distributed tables, each with the column by which it is distributed. */
	static Map<String, String> firstColumns() {
		Map<String, String> columns = new HashMap<>(
				Map.of("sessions", "session_key", "keys_to_sweep", "session_key", "session_names", "name_key"));
		OwnedTables.ALL.forEach((table) -> columns.put(table.name(), table.owner().columns().get(0)));
		return columns;
	}

	/** Whether a part of a statement says which value a first column has. */
	static boolean saysWhose(String part) {
		return Pattern.compile("\\b(" + String.join("|", FIRST_COLUMNS.values()) + ") ?= ?\\?").matcher(part).find();
	}

	/** The parts of a statement, each without those within it. */
	static List<String> parts(String sql) {
		List<String> parts = new ArrayList<>();
		String rest = sql;
		for (Matcher inner = INNERMOST.matcher(rest); inner.find(); inner = INNERMOST.matcher(rest)) {
			parts.add(inner.group());
			rest = rest.substring(0, inner.start()) + rest.substring(inner.end());
		}
		parts.add(rest);
		return parts.stream().flatMap((part) -> Stream.of(part.split("union all"))).toList();
	}

	/**
	 * The statement without what stands in parentheses after a pattern, and each of
	 * these.
	 */
	private static List<String> split(String sql, Pattern before) {
		List<String> all = new ArrayList<>();
		String rest = sql;
		for (Matcher start = before.matcher(rest); start.find(); start = before.matcher(rest)) {
			int end = end(rest, start.end());
			all.addAll(split(rest.substring(start.end(), end), before));
			rest = rest.substring(0, start.start()) + rest.substring(end + 1);
		}
		all.add(0, rest);
		return all;
	}

	/** Where the parentheses end that a part begins in. */
	private static int end(String sql, int begin) {
		int depth = 1;
		int end = begin;
		while (depth > 0) {
			char next = sql.charAt(end);
			depth += (next == '(') ? 1 : (next == ')') ? -1 : 0;
			end++;
		}
		return end - 1;
	}

}
