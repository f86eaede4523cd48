package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springdoc.core.models.GroupedOpenApi;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.openapi.ApiDescription;
import dev.agentsessions.openapi.ApiOperation;
import dev.agentsessions.postgres.Lanes.Callers;
import dev.agentsessions.postgres.QueryPlans.Work;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.web.ConsoleAccess;

/**
 * What each read of both OpenAPI documents takes from the database, for each of its
 * parameters: at most a few times what its answer has, or it waits for the lane of heavy
 * work. This lane is closed here, so whatever a request reads before it is refused is
 * light work.
 */
@HttpTest
@Import({ StatementRecorder.class, WorkOfReadsTests.ImpatientLanes.class })
@TestInstance(Lifecycle.PER_CLASS)
class WorkOfReadsTests {

	private static final SessionName SESSION = new SessionName("load", "u", "s");

	private static final int MANY = 12_000;

	/**
	 * Rows and pages that any request may read, within about 10 ms. All facts of a user
	 * are no more, and no more sessions of a user or events of a session are light work.
	 */
	private static final long FREE = 10_500;

	private static final long ROWS_OF_VALUE = 4;

	/** An index and a table with its large values. */
	private static final long PAGES_OF_ROW = 6;

	private static final long PAGE_BYTES = 8192;

	private static final long PAGES_OF_PAGE = 4;

	private static final Pattern SEARCH = Pattern.compile(".*:(search|retrieve|retrieveProfiles)");

	/** A watch does not end. */
	private static final Pattern ENDLESS = Pattern.compile(".*:watch");

	/** What any page of the console needs to be shown. */
	private static final String PAGE_PARAMETERS = "?with=s&q=filler&seq=7&call=none&after=7&name=a1&version=0&label=a%3Db";

	private static final Pattern ENDLESS_PAGE = Pattern.compile(".*/watch");

	private static final Map<String, String> NAMES = Map.ofEntries(Map.entry("appName", "load"),
			Map.entry("userId", "u"), Map.entry("sessionId", "s"), Map.entry("eventId", "e7"), Map.entry("part", "0"),
			Map.entry("memoryId", "f7"), Map.entry("project", "p"), Map.entry("location", "l"),
			Map.entry("engine", "load"), Map.entry("reasoningEngine", "load"), Map.entry("operation", "1"),
			Map.entry("operationId", "1"), Map.entry("name", "a1"), Map.entry("artifact", "a1"),
			Map.entry("version", "0"));

	/** For each parameter the value for which most is read and least is found. */
	private static final Map<String, String> VALUES = Map.ofEntries(Map.entry("author", "none"),
			Map.entry("invocationId", "none"), Map.entry("afterTimestamp", "4000000000"), Map.entry("tool", "none"),
			Map.entry("displayName", "none"), Map.entry("label", "a=none"), Map.entry("prefix", "none"),
			Map.entry("waiting", "true"), Map.entry("error", "true"), Map.entry("from", "2000-01-01T00:00:00Z"),
			Map.entry("until", "2100-01-01T00:00:00Z"), Map.entry("atSeq", "11000"), Map.entry("fromSeq", "11000"),
			Map.entry("afterSeq", "11000"), Map.entry("numRecentEvents", "1"), Map.entry("view", "context"),
			Map.entry("by", "model"), Map.entry("q", "filler"), Map.entry("sessionId", "s"),
			Map.entry("order", "desc"));

	/** What decides only how much an answer has, or which page it is. */
	private static final Set<String> NOT_WHAT_IS_READ = Set.of("includeState", "includeEval", "includeRevision", "seqs",
			"parts", "limit", "pageSize", "pageToken", "mode", "exceptSessionId", "minScore", "around", "facts",
			"content", "version", "bodyStyle");

	/**
	 * A list in the order of an index learns only from its rows that the page is too
	 * large. Where the large sessions are is random here.
	 */
	private static final Pattern LIST_IN_ORDER = Pattern.compile("/apps/load/sessions\\?(&order=\\w+)?");

	private static final long MAX_LISTED = 10_000;

	private static final List<String> LIMITS = List.of("limit=10000", "limit=1000", "limit=100", "pageSize=100", "");

	private final Http http;

	private final List<GroupedOpenApi> dialects;

	private final JdbcTemplate jdbc;

	private final QueryPlans plans;

	private final Lane heavy;

	private final RequestMappingHandlerMapping routes;

	WorkOfReadsTests(Http http, List<GroupedOpenApi> dialects, JdbcTemplate jdbc, JdbcConnectionDetails database,
			Lanes lanes, @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping routes) {
		this.http = http;
		this.dialects = dialects;
		this.routes = routes;
		this.jdbc = jdbc;
		this.plans = new QueryPlans(jdbc, database);
		this.heavy = lanes.heavy();
	}

	@BeforeAll
	void fill() {
		this.http.post("/apps/load/users/u/sessions/s", "{\"state\":{\"user:k\":1}}").ok();
		for (int first = 0; first < MANY; first += 1000) {
			this.http
				.post("/apps/load/users/u/sessions/s/events:batch", IntStream.range(first, first + 1000)
					.mapToObj((n) -> """
							{"id":"e%d","author":"user","invocationId":"i%d","content":{"parts":[{"text":"filler %d"}]},
							 "modelVersion":"m","usageMetadata":{"promptTokenCount":1}}""".formatted(n, n, n))
					.collect(Collectors.joining(",", "{\"events\":[", "]}")))
				.ok();
		}
		List<String> others = IntStream.range(0, 3000).mapToObj((n) -> "o" + n).toList();
		Object[] owner = { ScopeKey.ofApp("load"), ScopeKey.of(SESSION.user()) };
		this.jdbc.update("""
				insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision,
				  create_time, last_update_time, display_name, labels)
				select gen_random_uuid(), gen_random_uuid(), ?, ?, 'work', 'u', 'm' || n, 0, now(),
				  now() + (n - 6000) * interval '1 minute', 'name', '{"a":"b"}'
				from generate_series(1, ?) as n
				""", owner[0], owner[1], MANY);
		this.jdbc.update(
				"""
						insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision,
						  create_time, last_update_time)
						select gen_random_uuid(), gen_random_uuid(), ?, gen_random_uuid(), 'work', 'o' || n, 'o', 0, now(), now()
						from generate_series(1, 5000) as n
						""",
				owner[0]);
		this.jdbc.update("""
				insert into state
				select session_key, 'k' || n, to_json(repeat('x', 1400)) from generate_series(1, 1000) as n, (
				  (select session_key from sessions where user_key = ? order by last_update_time limit 20) union all
				  (select session_key from sessions where user_key = ? order by last_update_time desc limit 20)) as few
				""", owner[1], owner[1]);
		this.jdbc.update(
				"""
						insert into memories (scope_key, id, create_time, update_time, said_at, author, analysis, words, same,
						  tokens, body)
						select ?, 'f' || n, now(), now(), now(), 'user', 1, 1, n, 'filler:1', '{"text":"filler","content":{"parts":[{"text":"filler"}]}}'
						from generate_series(1, 10000) as n
						""",
				owner[1]);
		this.jdbc.update("insert into artifacts select ?, ?, 'a' || n, 1000 from generate_series(1, 5000) as n",
				owner[1], StoredKey.of(this.jdbc, SESSION));
		this.jdbc.update("""
				insert into artifact_versions (user_key, scope_key, name, version, after_seq, create_time, kind, size,
				  file_uri)
				select ?, ?, 'a' || least(n, 1000), greatest(n - 1000, 0), 1, now(), 2, 1, 'gs://b/o'
				from generate_series(2, 2000) as n
				""", owner[1], StoredKey.of(this.jdbc, SESSION));
		this.jdbc.execute("analyze");
	}

	@Test
	void isAFewTimesTheAnswerOrHeavy() throws Exception {
		CountDownLatch open = new CountDownLatch(1);
		List<CompletableFuture<Boolean>> others = Stream
			.generate(() -> Concurrently.start(() -> this.heavy.<Boolean>run(() -> await(open))))
			.limit(this.heavy.connections())
			.toList();
		List<String> costly = new ArrayList<>();
		int measured = 0;
		try {
			for (String[] request : requests()) {
				measured++;
				String excess = excess(request[0], request[1], request[2]);
				if (excess != null) {
					costly.add(excess);
				}
			}
		}
		finally {
			open.countDown();
			others.forEach(CompletableFuture::join);
		}
		assertThat(costly).isEmpty();
		assertThat(measured).isGreaterThan(70);
	}

	/** Returns method, path and body of each request. */
	private List<String[]> requests() {
		List<String[]> requests = new ArrayList<>();
		this.dialects.stream()
			.flatMap((dialect) -> ApiDescription.of(this.http, dialect.getGroup()).operations().stream())
			.filter((operation) -> operation.method().equals("GET") || SEARCH.matcher(operation.path()).matches())
			.filter((operation) -> !ENDLESS.matcher(operation.path()).matches())
			.forEach((operation) -> {
				String path = path(operation);
				String body = operation.requestExamples()
					.values()
					.stream()
					.findFirst()
					.map(JsonNode::toString)
					.orElse("");
				Stream.concat(Stream.of(""), optional(operation))
					.forEach((parameter) -> requests.add(new String[] { operation.method(), path + parameter, body }));
			});
		pages().forEach((page) -> requests.add(new String[] { "GET", page, "" }));
		return requests;
	}

	/**
	 * Returns the addresses of all pages of the console, as they are now and at a moment;
	 * a turn is always at a moment. No call waits for an answer here.
	 */
	private Stream<String> pages() {
		return this.routes.getHandlerMethods()
			.keySet()
			.stream()
			.filter((route) -> route.getMethodsCondition().getMethods().contains(RequestMethod.GET))
			.flatMap((route) -> route.getPatternValues().stream())
			.filter((path) -> path.startsWith(ConsoleAccess.PATH) && !ENDLESS_PAGE.matcher(path).matches())
			.map((path) -> named(path.replaceAll("\\{change:.*}", "fork")) + PAGE_PARAMETERS)
			.flatMap((page) -> Stream.of(page, page + "&at=11000"))
			.filter((page) -> !page.contains("/turn?") || page.contains("&at="))
			.filter((page) -> !page.contains("/answer?"));
	}

	private static String named(String template) {
		String path = template;
		for (Map.Entry<String, String> name : NAMES.entrySet()) {
			path = path.replace("{" + name.getKey() + "}", name.getValue());
		}
		assertThat(path).as("a value of each variable").doesNotContain("{");
		return path;
	}

	private static String path(ApiOperation operation) {
		return named(operation.path()) + "?"
				+ parameters(operation).filter(WorkOfReadsTests::isRequired)
					.map((parameter) -> assigned(operation, parameter))
					.collect(Collectors.joining("&"));
	}

	private static Stream<String> optional(ApiOperation operation) {
		return parameters(operation).filter((parameter) -> !isRequired(parameter))
			.map((parameter) -> assigned(operation, parameter))
			.map((parameter) -> "&" + parameter);
	}

	private static boolean isRequired(JsonNode parameter) {
		return parameter.path("required").asBoolean(false) || parameter.path("name").stringValue().equals("q");
	}

	private static Stream<JsonNode> parameters(ApiOperation operation) {
		return operation.parameters()
			.stream()
			.filter((one) -> one.path("in").stringValue().equals("query"))
			.filter((one) -> !NOT_WHAT_IS_READ.contains(one.path("name").stringValue()));
	}

	private static String assigned(ApiOperation operation, JsonNode parameter) {
		String name = parameter.path("name").stringValue();
		boolean ofEvents = operation.path().endsWith("/events");
		String value = switch (name) {
			case "orderBy" -> ofEvents ? "timestamp desc" : "create_time";
			case "filter" -> ofEvents ? "timestamp>=\"2100-01-01T00:00:00Z\"" : "user_id=\"u\"";
			default -> VALUES.get(name);
		};
		assertThat(value).as("a value of the parameter " + name).isNotEmpty();
		return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
	}

	/** Returns what a request reads too much; {@code null} if it does not. */
	private @Nullable String excess(String method, String path, String body) {
		Optional<Answer> answer = Optional.empty();
		List<StatementRecorder.Recorded> statements = List.of();
		for (String limit : LIMITS) {
			StatementRecorder.stop();
			statements = StatementRecorder.start();
			answer = answer(method, path + "&" + limit, body);
			StatementRecorder.stop();
			if (answer.filter((refused) -> refused.status() == 400).isEmpty()) {
				break;
			}
		}
		Work work = this.plans.work(statements);
		String text = answer.filter((response) -> response.status() == 200).map(Answer::body).orElse("");
		long listed = LIST_IN_ORDER.matcher(path).matches() ? MAX_LISTED : 0;
		long rows = FREE + ROWS_OF_VALUE * listed
				+ ROWS_OF_VALUE * text.chars().filter((character) -> character == ',').count();
		long pages = FREE + PAGES_OF_ROW * work.rows() + PAGES_OF_PAGE * text.length() / PAGE_BYTES;
		String read = "%s %s %s: %d rows of %d, %d pages of %d, %d characters".formatted(
				answer.map(Answer::status).orElse(0), method, path, work.rows(), rows, work.pages(), pages,
				text.length());
		boolean measured = answer.filter((invalid) -> invalid.status() == 400).isEmpty();
		return (work.rows() > rows || work.pages() > pages || !measured) ? read : null;
	}

	/** An export that has begun is cut instead of refused. */
	private Optional<Answer> answer(String method, String path, String body) {
		try {
			return Optional
				.of(this.http.send(method, path, BodyPublishers.ofString(body), "Content-Type", "application/json"));
		}
		catch (UncheckedIOException ex) {
			return Optional.empty();
		}
	}

	private static boolean await(CountDownLatch open) {
		try {
			open.await();
			return true;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Heavy work is refused at once. */
	@TestConfiguration(proxyBeanMethods = false)
	static class ImpatientLanes {

		@Bean
		@Primary
		Lanes impatient(MeterRegistry registry) {
			return Lanes.of(10, 2, Duration.ofMillis(1), Duration.ofSeconds(10), new Callers(1, Optional::empty),
					registry);
		}

	}

}
