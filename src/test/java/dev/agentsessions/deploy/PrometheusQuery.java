package dev.agentsessions.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a query of Prometheus asks for: enough of its language for those of the dashboard
 * and the alarms.
 *
 * @param selectors the series it reads
 * @param labels the labels it groups by
 */
record PrometheusQuery(List<Selector> selectors, List<String> labels) {

	private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");

	private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");

	private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_:][\\w:]*)\\s*(\\{([^}]*)})?(\\s*\\()?");

	private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");

	private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

	static PrometheusQuery parse(String text) {
		List<String> labels = GROUPING.matcher(text)
			.results()
			.flatMap((grouping) -> Pattern.compile(",").splitAsStream(grouping.group(1)))
			.map(String::strip)
			.toList();
		List<Selector> selectors = new ArrayList<>();
		Matcher found = SELECTOR.matcher(RANGE.matcher(GROUPING.matcher(text).replaceAll("")).replaceAll(""));
		while (found.find()) {
			boolean function = found.group(4) != null;
			if (!function && !WORDS.contains(found.group(1))) {
				selectors.add(new Selector(found.group(1), conditions(found.group(3))));
			}
		}
		return new PrometheusQuery(selectors, labels);
	}

	private static List<Condition> conditions(String text) {
		return (text != null) ? LABEL.matcher(text)
			.results()
			.map((label) -> new Condition(label.group(1), label.group(2), label.group(3)))
			.toList() : List.of();
	}

	/**
	 * Some series.
	 *
	 * @param name their name
	 * @param conditions what their labels have to be
	 */
	record Selector(String name, List<Condition> conditions) {

	}

	/**
	 * What a label has to be.
	 *
	 * @param label its name
	 * @param operator how it is compared
	 * @param value with what
	 */
	record Condition(String label, String operator, String value) {

		boolean holds(String actual) {
			return switch (this.operator) {
				case "=" -> actual.equals(this.value);
				case "!=" -> !actual.equals(this.value);
				case "=~" -> actual.matches(this.value);
				default -> !actual.matches(this.value);
			};
		}

	}

}
