package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.postgres.StatementRecorder.Recorded;
import dev.agentsessions.postgres.artifact.ArtifactHistory;
import dev.agentsessions.postgres.lifecycle.LongHistory;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;

/**
 * Where the tables are distributed by their first column (deploy/citus), each statement
 * of what is done all the time says for each table that it touches which value this
 * column has. So the machine that has these rows executes it, and no other one hears of
 * it.
 */
@TestPropertySource(properties = { "agent-sessions.distributed=true",
		"spring.flyway.locations=classpath:db/migration,filesystem:deploy/citus" })
class RoutedStatementTests extends PostgresStoreTest {

	private static final Pattern TABLE = Pattern
		.compile("\\b(from|join|into|update) (" + String.join("|", CitusRules.firstColumns().keySet()) + ")\\b");

	/**
	 * What is inserted has the first column as a parameter, or as a column of a row that
	 * was found by it.
	 */
	private static final Pattern INSERTED = Pattern.compile("^insert into \\w+\\s+values\\b");

	/**
	 * PostgreSQL's own list would also have what is stable, which Citus computes once.
	 */
	private static final Pattern VOLATILE = Pattern
		.compile("clock_timestamp|timeofday|random|nextval|set_config|pg_sleep|advisory|txid_|pg_current_xact");

	@Autowired
	private ArtifactService.Store artifacts;

	@Autowired
	private ArtifactHistory artifactHistory;

	@Test
	void hotStatementsNameDistributionColumn() {
		assertThat(hot()).allSatisfy((action, statements) -> {
			assertThat(statements).as(action).isNotEmpty();
			assertThat(statements).as(action)
				.allSatisfy((statement) -> assertThat(CitusRules.parts(statement.sql())).filteredOn(TABLE.asPredicate())
					.allMatch(((Predicate<String>) CitusRules::saysWhose).or(INSERTED.asPredicate())));
		});
	}

	@Test
	void hotStatementsCallNoVolatileFunctions() {
		assertThat(hot()).allSatisfy((action, statements) -> assertThat(statements).as(action)
			.extracting(Recorded::sql)
			.noneMatch(VOLATILE.asPredicate()));
	}

	/** Only with a database that is Citus (deploy/citus/README.md). */
	@Test
	void hotStatementsAreOneTaskOfCitus() {
		assumeTrue(this.jdbc.queryForObject("select exists (select from pg_extension where extname = 'citus')",
				Boolean.class));
		assertThat(hot()).allSatisfy((action, statements) -> assertThat(statements).as(action)
			.allSatisfy((statement) -> assertThat(plan(statement)).contains("Task Count: 1")
				.doesNotContain("Distributed Subplan", "Distributed INSERT ... SELECT")));
	}

	private String plan(Recorded statement) {
		return String.join("\n", this.jdbc.query("explain " + statement.sql(), statement::setParameters,
				(row, number) -> row.getString(1)));
	}

	/** What is done all the time, and its statements. */
	private Map<String, List<Recorded>> hot() {
		SessionName name = newSession();
		store(name, Events.event("{\"id\":\"e1\",\"actions\":{\"stateDelta\":{\"a\":1,\"user:b\":2,\"app:c\":3}}}"));
		LeaseRequest request = new LeaseRequest("a", Duration.ofMinutes(1), null);
		Precondition lease = Precondition.NONE.under(this.store.acquire(name, request, Precondition.NONE).number());
		SessionName longHistory = newSession();
		LongHistory.append(this, longHistory);
		EventQuery newest = EventQuery.of(true, 50);
		UUID session = this.store.find(name, EventWindow.NONE).orElseThrow().sessionKey();
		return Map.ofEntries(recorded("an append", () -> store(name, Events.id("e2"))),
				recorded("an append with state", () -> store(name, Events.delta("{\"a\":1,\"b\":2}"))),
				recorded("an append with shared state", () -> store(name, Events.delta("{\"user:a\":1,\"app:b\":2}"))),
				recorded("an append that removes keys",
						() -> store(name, Events.delta("{\"a\":%1$s,\"user:a\":%1$s}".formatted(Events.REMOVED)))),
				recorded("an append under a lease",
						() -> this.store.append(name, new AppendRequest(Events.id("e3"), lease))),
				recorded("a batch",
						() -> this.store.appendAll(name, List.of(Events.id("e4"), Events.id("e5")), Precondition.NONE)),
				recorded("the newest events of a session", () -> this.store.find(name, new EventWindow(20, null))),
				recorded("a session without its events", () -> this.store.find(name, EventWindow.NONE)),
				recorded("a session with all events", () -> this.store.find(name, EventWindow.ALL)),
				recorded("a long history",
						() -> this.store.find(longHistory, EventWindow.ALL).orElseThrow().events().toList()),
				recorded("what a model sees",
						() -> this.store.find(name, EventWindow.ALL.withView(HistoryView.CONTEXT))),
				recorded("a page of events", () -> this.store.events(name, newest)),
				recorded("the events from a seq on",
						() -> this.store.find(name, new EventWindow(null, null, HistoryView.FULL, 2))),
				recorded("some events by id", () -> this.store.events(name, List.of("e1", "e2"))),
				recorded("an event", () -> this.store.event(name, "e1")),
				recorded("the state of a user", () -> this.store.state(name.user())),
				recorded("a list of artifacts", () -> this.artifacts.newest(name.user(), null, "", 10)),
				recorded("the artifacts that a rewind restores",
						() -> this.artifactHistory.changed(ScopeKey.of(name.user()), session, 1)));
	}

	private static Map.Entry<String, List<Recorded>> recorded(String name, Runnable action) {
		return Map.entry(name,
				StatementRecorder.record(action).stream().filter((statement) -> !statement.isControl()).toList());
	}

}
