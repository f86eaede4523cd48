package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.persistence.Query;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.repository.Repository;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.MappedQuerySpec;
import org.springframework.jdbc.core.simple.JdbcClient.ResultQuerySpec;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.Fact.FactBody;
import dev.agentsessions.search.FactLocator.FactDirectory;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.FactService.FactQuery;
import dev.agentsessions.search.FactService.NewFact;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/**
 * A response counts the rows that statements return for it, whichever statements they
 * are.
 */
class CountedRowsTests extends PostgresStoreTest {

	private static final int FACTS = 40;

	private static final int FACT_CHARS = 32_000;

	private static final long MOST_OF_FACTS = (long) FACTS * FACT_CHARS * 8 / 10;

	private static final int CALLS = 300;

	private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

	private static final String TEXTS = "select repeat('x', 1000) as text from generate_series(1, 1000)";

	/**
	 * What JPA returns is not counted by itself. Each of these methods returns a bounded
	 * number of small rows, or its caller counts them.
	 */
	private static final Set<String> LISTS_OF_JPA = Set.of("EventRepository.findAll", "SessionRepository.findAll",
			"SessionRepository.find", "SessionRepository.appNames", "SessionRepository.sessionIds",
			"StateRepository.find");

	@Autowired
	private ResponseHeap memory;

	@Autowired
	private NamedParameterJdbcTemplate named;

	@Autowired
	private JdbcClient client;

	@Autowired
	private FactService.Store facts;

	@Autowired
	private FactDirectory directory;

	@Autowired
	private PendingService.Store pending;

	@AfterEach
	void endResponse() {
		this.memory.end();
	}

	@Test
	void countsRowsHoweverAStatementReadsThem() {
		Stream
			.<Consumer<JdbcTemplate>>of((jdbc) -> jdbc.queryForList(TEXTS, String.class),
					(jdbc) -> jdbc.queryForList(TEXTS), (jdbc) -> jdbc.query(TEXTS, (row, number) -> row.getString(1)),
					(jdbc) -> jdbc.query(TEXTS + " where ? > 0", (row, number) -> row.getObject("text"), 1),
					(jdbc) -> jdbc.query(TEXTS, (RowCallbackHandler) (row) -> row.getString("text")),
					(jdbc) -> jdbc.query(TEXTS, (row, number) -> row.getBytes(1)),
					(jdbc) -> this.named.query(TEXTS + " where :a > 0", Map.of("a", 1),
							(row, number) -> row.getString(1)),
					(jdbc) -> this.client.sql(TEXTS + " where :a > 0").param("a", 1).query(String.class).list(),
					(jdbc) -> this.client.sql(TEXTS + " where ? > 0").param(1).query().singleColumn(),
					(jdbc) -> jdbc.query("select gen_random_uuid() as key from generate_series(1, 20000)",
							(row, number) -> row.getObject(1, UUID.class)))
			.forEach((statement) -> assertThat(taken(() -> statement.accept(this.jdbc))).isGreaterThan(700_000));
	}

	@Test
	void countsNoFewRowsAndNoneThatAreFetchedInParts() {
		assertThat(taken(() -> this.jdbc.queryForList(TEXTS + " limit 50", String.class))).isZero();
		assertThat(taken(() -> this.jdbc.query(TEXTS, (statement) -> statement.setFetchSize(100),
				(row, number) -> row.getString(1))))
			.isZero();
	}

	@Test
	void endsAReadWhenThereIsNoMemory() {
		this.memory.begin();
		this.memory.count(Long.MAX_VALUE / 2);
		assertThatThrownBy(
				() -> Concurrently.run(1, (other) -> taken(() -> this.jdbc.queryForList(TEXTS, String.class))))
			.hasRootCauseInstanceOf(SessionException.Unavailable.class);
	}

	@Test
	void countsFacts() {
		MemoryScope scope = MemoryScope.of(Sessions.newKey().user());
		for (int number = 0; number < FACTS; number++) {
			this.facts.create(scope, new NewFact("f" + number, fact(), null));
		}
		assertThat(taken(() -> this.facts.list(new FactQuery(scope, LAST, "", 100)))).isGreaterThan(MOST_OF_FACTS);
		assertThat(taken(() -> this.facts.findAll(scope, ids()))).isGreaterThan(MOST_OF_FACTS);
		assertThat(taken(() -> this.directory.list(scope.appName(), null, 100))).isGreaterThan(MOST_OF_FACTS);
	}

	@Test
	void countsWaitingCalls() {
		SessionName name = Sessions.newKey();
		String ids = calls("\"c%d\"");
		String parts = calls(
				"{\"functionCall\":{\"id\":\"c%d\",\"name\":\"n\",\"args\":{\"a\":\"" + "x".repeat(4000) + "\"}}}");
		this.store.create(Sessions.with(name, "{}",
				"{\"longRunningToolIds\":[%s],\"content\":{\"parts\":[%s]}}".formatted(ids, parts)));
		assertThat(taken(() -> this.pending.list(new PendingQuery(name.app(), name, null, 1000))))
			.isGreaterThan(4000 * (CALLS - 70));
	}

	private static String calls(String each) {
		return IntStream.range(0, CALLS).mapToObj(each::formatted).collect(Collectors.joining(","));
	}

	/** Each way to read shared state that the client has not just sent. */
	@Test
	void countsSharedState() {
		SessionName name = Sessions.newKey();
		String large = "\"" + "x".repeat(400_000) + "\"";
		this.store.create(Sessions.with(name, "{\"user:a\":" + large + "}"));
		assertThat(taken(() -> this.store.create(Sessions.empty(Sessions.sibling(name, "s2"))))).isGreaterThan(400_000);
		assertThat(taken(() -> this.store.changeState(name.user(), Map.of("b", new JsonText("1")))))
			.isGreaterThan(400_000);
	}

	@Test
	void countsSessionsThatAreListedWithoutTheirState() {
		SessionName name = Sessions.newKey();
		this.jdbc.update("""
				insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision,
				  create_time, last_update_time, labels)
				select gen_random_uuid(), gen_random_uuid(), ?, ?, ?, ?, 's' || n, 0, now(), now(),
				  json_build_object('label', repeat('x', 1000))
				from generate_series(1, 1500) as n
				""", ScopeKey.ofApp(name.appName()), ScopeKey.of(name.user()), name.appName(), name.userId());
		SessionQuery all = new SessionQuery(name.user(), Order.UPDATE_TIME, true, null, 1500,
				new Filter(null, Map.of(), false), false);
		assertThat(taken(() -> this.store.list(all))).isGreaterThan(1_500_000);
	}

	@Test
	void countsTheStoredEventsThatARetryIsComparedWith() {
		SessionName name = newSession();
		NewEvent event = Events.event("{\"id\":\"e1\",\"author\":\"a\",\"x\":\"%s\"}".formatted("x".repeat(300_000)));
		store(name, event);
		NewEvent other = Events.event("{\"id\":\"e1\",\"author\":\"a\"}");
		assertThat(taken(() -> assertConflict("e1", () -> this.store.append(name, Events.append(other)))))
			.isGreaterThan(300_000);
		assertThat(
				taken(() -> assertConflict("e1", () -> this.store.appendAll(name, List.of(other), Precondition.NONE))))
			.isGreaterThan(300_000);
	}

	/** A class that reads rows in another way has to count them, and is named here. */
	@Test
	void readsNoListsInOtherWays() {
		JavaClasses classes = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackagesOf(AgentSessionsApplication.class);
		assertThat(callers(classes, CountingJdbcTemplate.class, "uncounted")).containsExactlyInAnyOrder(
				"HeapBoundedReads", "PostgresHistoryStore", "SessionPageReader", "JointEvents",
				"PostgresArtifactStore");
		assertThat(callers(classes, java.sql.Statement.class, "setFetchSize")).containsExactly("VectorStatements");
		// They read a few rows of numbers, and nothing of a commit or a lock.
		// MoveConnection serves no request
		assertThat(callers(classes, java.sql.Statement.class, "execute.*")).containsExactlyInAnyOrder("ArtifactWrites",
				"Transactions", "MainLocks", "MoveConnection");
		assertThat(callers(classes, JdbcOperations.class, "<init>|queryForStream|queryForRowSet"))
			.containsExactly("CountingJdbcTemplate");
		assertThat(callers(classes, NamedParameterJdbcOperations.class, "<init>|queryForStream|queryForRowSet"))
			.isEmpty();
		assertThat(callers(classes, MappedQuerySpec.class, "stream")).isEmpty();
		assertThat(callers(classes, ResultQuerySpec.class, "rowSet")).isEmpty();
		assertThat(callers(classes, Query.class, "getResultList|getResultStream|list|stream|scroll"))
			.containsExactly("ListSessionsStatement");
		assertThat(classes.stream()
			.filter((type) -> type.isInterface() && type.isAssignableTo(Repository.class))
			.flatMap((type) -> type.getMethods().stream())
			.filter((method) -> isList(method.getRawReturnType()))
			.map((method) -> method.getOwner().getSimpleName() + "." + method.getName())
			.collect(Collectors.toSet())).isEqualTo(LISTS_OF_JPA);
	}

	private static boolean isList(JavaClass type) {
		return type.isAssignableTo(Iterable.class) || type.isAssignableTo(BaseStream.class);
	}

	private static Set<String> callers(JavaClasses classes, Class<?> type, String methods) {
		return classes.stream()
			.flatMap((caller) -> caller.getCodeUnitCallsFromSelf().stream())
			.filter((call) -> call.getTargetOwner().isAssignableTo(type) && call.getName().matches(methods))
			.map((call) -> call.getOriginOwner().getSimpleName())
			.collect(Collectors.toSet());
	}

	private static FactBody fact() {
		return FactBody.of(JsonObject.parse("{\"text\":\"%s\"}".formatted("x".repeat(FACT_CHARS - 100))));
	}

	private static List<String> ids() {
		return Stream.iterate(0, (number) -> number + 1).limit(FACTS).map((number) -> "f" + number).toList();
	}

	private long taken(Runnable read) {
		this.memory.begin();
		try {
			read.run();
			return this.memory.taken();
		}
		finally {
			this.memory.end();
		}
	}

}
