package dev.agentsessions.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.test.context.TestPropertySource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.deploy.PrometheusQuery.Condition;
import dev.agentsessions.deploy.PrometheusQuery.Selector;
import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * The dashboard and the alarms ask for figures that a service under load really shows.
 * {@link DeployCheckTests} lets Prometheus itself check the files.
 */
@HttpTest
@TestInstance(Lifecycle.PER_CLASS)
@TestPropertySource(properties = { "management.prometheus.metrics.export.enabled=true",
		"management.endpoints.web.exposure.include=health,prometheus",
		"agent-sessions.search.embeddings.url=http://127.0.0.1:9/embeddings",
		"agent-sessions.search.embeddings.model=none", "agent-sessions.watch.max=1" })
class ObservabilityTests {

	private static final Path FOLDER = Path.of("deploy/observability");

	private static final Path DASHBOARD = FOLDER.resolve("grafana/dashboards/agent-sessions.json");

	private static final Path ALARMS = FOLDER.resolve("alarms.yml");

	private static final Path MANUAL = Path.of("docs/operations.md");

	private static final String SESSION = "/apps/seen/users/ann/sessions/s1";

	private static final Pattern SERIES = Pattern.compile("(?m)^([a-z_]+)(?:\\{(.*)})? \\S+$");

	private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

	/** The labels that the targets of one installation share. */
	private static final Map<String, String> INSTALLATION = Map.of("job", "agent-sessions", "namespace", "production");

	/** Those that Prometheus adds to each series. */
	private static final Map<String, String> TARGET = Map.of("job", "agent-sessions", "namespace", "production",
			"instance", "agent-sessions:8080", "pod", "a", "container", "agent-sessions", "endpoint", "http", "node",
			"n1");

	private final Http http;

	private Map<String, List<Map<String, String>>> series;

	ObservabilityTests(Http http) {
		this.http = http;
	}

	@BeforeAll
	void useEverything() throws IOException {
		this.http.post(SESSION, "{}").ok();
		this.http.post(SESSION + "/events", "{\"id\":\"e1\"}").ok();
		this.http.post(SESSION + "/events", "{\"id\":\"e1\"}").ok();
		this.http.post(SESSION + "/events", "{}", "If-Match", "\"0\"").problem(412, "STALE_SESSION");
		this.http.post(SESSION + ":acquire", "{\"holder\":\"ann\"}").ok();
		this.http.get(SESSION).ok();
		this.http.get("/apps/seen/users/ann/sessions").ok();
		this.series = SERIES.matcher(this.http.get("/actuator/prometheus").body())
			.results()
			.collect(Collectors.groupingBy((MatchResult line) -> line.group(1),
					Collectors.mapping((MatchResult line) -> labels(line.group(2)), Collectors.toList())));
		// Those that Prometheus adds itself
		this.series.put("up", List.of(TARGET));
		rules("record").forEach((rule) -> this.series.put(rule.get("record").toString(), List.of(INSTALLATION)));
	}

	private static Map<String, String> labels(String text) {
		Map<String, String> labels = new HashMap<>(TARGET);
		if (text != null) {
			LABEL.matcher(text).results().forEach((label) -> labels.put(label.group(1), label.group(2)));
		}
		return labels;
	}

	@Test
	void countsWatchesThatAreRefused() {
		try (EventSource watch = EventSource.open(this.http.port(), SESSION + "/events:watch")) {
			this.http.get(SESSION + "/events:watch").problem(503, "UNAVAILABLE");
			assertThat(this.http.get("/actuator/prometheus").body()).contains("\nagentsessions_watches 1.0\n",
					"\nagentsessions_watches_limit 1.0\n", "\nagentsessions_watches_refused_total 1.0\n");
			assertThat(watch.comments()).isNotNull();
		}
	}

	@ParameterizedTest
	@MethodSource({ "queriesOfTheDashboard", "queriesOfTheAlarms" })
	void asksForWhatIsThere(String query) {
		PrometheusQuery parsed = PrometheusQuery
			.parse(query.replace("$__rate_interval", "1m").replace("$instance", ".*"));
		assertThat(parsed.selectors()).isNotEmpty().allSatisfy(this::assertIsThere);
		List<Map<String, String>> found = parsed.selectors()
			.stream()
			.flatMap((selector) -> this.series.get(selector.name()).stream())
			.toList();
		assertThat(parsed.labels()).allSatisfy((label) -> assertThat(found).anyMatch((one) -> one.containsKey(label)));
	}

	/** Other services have metrics with the same names. */
	@ParameterizedTest
	@MethodSource({ "queriesOfTheDashboard", "variablesOfTheDashboard", "queriesOfTheAlarms" })
	void countsOnlySeriesOfThisService(String query) throws IOException {
		List<String> recorded = rules("record").map((rule) -> rule.get("record").toString()).toList();
		assertThat(PrometheusQuery.parse(query).selectors()).isNotEmpty()
			.filteredOn((selector) -> !recorded.contains(selector.name()))
			.allSatisfy((selector) -> assertThat(selector.conditions())
				.contains(new Condition("job", "=", "agent-sessions")));
	}

	/** Each alarm keeps the labels of its installation, and a sum loses all others. */
	@ParameterizedTest
	@MethodSource("queriesOfTheAlarms")
	void addsUpWhatBelongsToOneInstallation(String query) {
		PrometheusQuery parsed = PrometheusQuery.parse(query);
		assertThat(query).doesNotContainPattern("\\bby\\b").doesNotContainPattern("sum\\s*\\(");
		assertThat(parsed.labels()).doesNotContainAnyElementsOf(INSTALLATION.keySet());
		if (parsed.labels().contains("instance")) {
			assertThat(parsed.selectors()).flatMap((selector) -> this.series.get(selector.name()))
				.flatMap(Map::keySet)
				.isSubsetOf(Stream.of(parsed.labels(), INSTALLATION.keySet()).flatMap(Collection::stream).toList());
		}
	}

	/** There is no 500, but the series would have the label. */
	private void assertIsThere(Selector selector) {
		List<Condition> conditions = selector.conditions()
			.stream()
			.filter((condition) -> !condition.value().equals("500"))
			.toList();
		assertThat(this.series).containsKey(selector.name());
		assertThat(this.series.get(selector.name())).as(selector.toString())
			.allSatisfy((labels) -> assertThat(selector.conditions()).extracting(Condition::label)
				.allMatch(labels::containsKey))
			.anyMatch((labels) -> conditions.stream()
				.allMatch((condition) -> condition.holds(labels.get(condition.label()))));
	}

	static Stream<String> queriesOfTheDashboard() throws IOException {
		JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(DASHBOARD));
		return dashboard.get("panels")
			.valueStream()
			.flatMap((panel) -> panel.path("targets").valueStream())
			.map((target) -> target.get("expr").stringValue());
	}

	/** The values of a variable are those of a label of some series. */
	static Stream<String> variablesOfTheDashboard() throws IOException {
		return JsonMapper.shared()
			.readTree(Files.readString(DASHBOARD))
			.at("/templating/list")
			.valueStream()
			.map((variable) -> variable.at("/query/query").stringValue())
			.map((query) -> query.replaceAll("label_values\\((.*), \\w+\\)", "$1"));
	}

	static Stream<String> queriesOfTheAlarms() throws IOException {
		return Stream.concat(rules("record"), rules("alert")).map((rule) -> rule.get("expr").toString());
	}

	@ParameterizedTest
	@MethodSource("alarms")
	void anAlarmLeadsToTheSectionOfTheManualThatSaysWhatToDo(String alarm) throws IOException {
		assertThat(Files.readString(MANUAL)).contains("\n### " + alarm + "\n");
		assertThat(rules("alert").filter((rule) -> rule.get("alert").equals(alarm)))
			.allSatisfy((rule) -> assertThat(rule.get("annotations").toString())
				.contains("/" + MANUAL + "#" + alarm.toLowerCase(Locale.ROOT)));
	}

	@ParameterizedTest
	@MethodSource("alarms")
	void anAlarmIsTestedWhereItRingsAndWhereItIsSilent(String alarm) throws IOException {
		Map<String, List<Map<String, ?>>> file = new Yaml().load(Files.readString(FOLDER.resolve("alarms-test.yml")));
		assertThat(file.get("tests")).filteredOn((test) -> test.get("name").toString().startsWith(alarm + " fires"))
			.isNotEmpty()
			.allSatisfy((test) -> assertThat(expected(test)).contains("\"" + alarm + "\""));
		assertThat(file.get("tests")).filteredOn((test) -> test.get("name").toString().startsWith(alarm + " is silent"))
			.isNotEmpty()
			.allSatisfy((test) -> assertThat(expected(test)).contains("exp_samples=[]"));
	}

	private static String expected(Map<String, ?> test) {
		return test.get("promql_expr_test").toString();
	}

	static Stream<String> alarms() throws IOException {
		return rules("alert").map((rule) -> rule.get("alert").toString());
	}

	/** The rules of a kind: {@code alert} or {@code record}. */
	private static Stream<Map<String, ?>> rules(String kind) throws IOException {
		Map<String, List<Map<String, List<Map<String, ?>>>>> file = new Yaml().load(Files.readString(ALARMS));
		return file.get("groups")
			.stream()
			.flatMap((group) -> group.get("rules").stream())
			.filter((rule) -> rule.containsKey(kind));
	}

}
