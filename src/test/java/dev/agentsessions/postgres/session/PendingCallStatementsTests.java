package dev.agentsessions.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.QueryPlans;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.postgres.StatementRecorder.Recorded;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** What it costs that events mean something beside their state, and where it is kept. */
class PendingCallStatementsTests extends PostgresStoreTest {

	private static final EventWindow CONTEXT = EventWindow.ALL.withView(HistoryView.CONTEXT);

	@Autowired
	private JdbcConnectionDetails database;

	private SessionName name;

	@BeforeEach
	void create() {
		this.name = newSession();
	}

	@Test
	void appendWithoutMarksUsesOneStatement() {
		NewEvent user = Events.event("{\"author\":\"user\",\"content\":{\"parts\":[{\"text\":\"What response?\"}]}}");
		NewEvent call = Events.event(
				"{\"author\":\"agent\",\"longRunningToolIds\":[],\"content\":{\"parts\":[{\"functionCall\":{\"id\":\"c\"}}]}}");
		assertThat(statements(() -> store(this.name, user))).hasSize(1);
		assertThat(statements(() -> store(this.name, call))).hasSize(1);
		assertThat(statements(() -> this.store.find(this.name, CONTEXT))).hasSize(2);
	}

	@Test
	void contextViewUsesFixedNumberOfStatements() {
		append(0, 500);
		store(this.name, summary("s1", 0, 400));
		int few = statements(() -> this.store.find(this.name, CONTEXT)).size();
		append(500, 1500);
		store(this.name, summary("s2", 0, 1400));
		append(1500, 1600);
		assertThat(context()).hasSize(1 + 199);
		assertThat(statements(() -> this.store.find(this.name, CONTEXT)))
			.as("events behind the last summary are read once")
			.hasSizeLessThanOrEqualTo(few);
	}

	@Test
	void findRowsByTheirKeys() {
		append(0, 1000);
		store(this.name, summary("s1", 0, 900));
		append(1000, 1010);
		this.jdbc
			.update("""
					insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, kind, body)
					select gen_random_uuid(), n, 'e' || n, now(), now(), 'a', 'i', 2, n % 16, '{}' from generate_series(1, 20000) as n
					""");
		this.jdbc
			.update("""
					insert into pending_calls (session_key, call_id, seq, since_seq, app_key, event_id, name, open_time)
					select gen_random_uuid(), 'c' || n, n, n, gen_random_uuid(), 'e' || n, 'f', now() from generate_series(1, 20000) as n
					""");
		this.jdbc.execute("analyze");
		EventQuery query = EventQuery.of(false, 50).withView(HistoryView.CONTEXT);
		QueryPlans plans = new QueryPlans(this.jdbc, this.database);
		SessionQuery waiting = SessionQuery.of(this.name.user(), Order.USER, false, 50,
				new Filter(null, Map.of(), false, true, null, null), false);
		PendingQuery inbox = new PendingQuery(this.name.app(), null, null, 50);
		Stream<Runnable> reads = Stream.of(() -> this.store.find(this.name, CONTEXT),
				() -> this.store.events(this.name, query), () -> this.store.list(waiting),
				() -> this.store.pending(inbox),
				() -> this.store.pending(new PendingQuery(this.name.app(), this.name, null, 50)));
		Stream<Runnable> writes = Stream.of(() -> store(this.name, summary("s2", 900, 950)),
				() -> store(this.name,
						Events.event("{\"author\":\"u\",\"actions\":{\"rewindBeforeInvocationId\":\"i990\"}}")),
				() -> store(this.name, pending("c1")), () -> store(this.name, answer("c1")),
				() -> this.store.delete(this.name, Precondition.NONE));
		Stream.concat(reads, writes)
			.flatMap((action) -> plans.of(action).stream().flatMap(List::stream))
			.forEach((plan) -> {
				assertThat(plan).doesNotContain("Seq Scan on");
				assertThat(plan.contains("Function Scan on run")
						&& !plan.contains("(seq >= run.first) AND (seq <= run.last)"))
					.as("a run is not found by the primary key:\n%s", plan)
					.isFalse();
			});
		this.jdbc.update("delete from events where session_key not in (select session_key from sessions)");
		this.jdbc.update("delete from pending_calls where session_key not in (select session_key from sessions)");
	}

	/** Whatever they mean, a batch is stored by as many statements. */
	@Test
	void storesManyRewindsAndSummariesAsOtherEvents() {
		List<NewEvent> plain = IntStream.range(0, 200).mapToObj(PendingCallStatementsTests::event).toList();
		List<NewEvent> marked = IntStream.range(0, 200)
			.mapToObj((n) -> (n % 2 == 0) ? summary("s" + n, 0, n)
					: Events
						.event("{\"author\":\"u\",\"actions\":{\"rewindBeforeInvocationId\":\"i%d\"}}".formatted(n)))
			.toList();
		int few = statements(() -> this.store.appendAll(this.name, plain, Precondition.NONE)).size();
		assertThat(statements(() -> this.store.appendAll(this.name, marked, Precondition.NONE)))
			.as("one looks for what rewinds take back of pending calls")
			.hasSizeLessThanOrEqualTo(few + 1);
	}

	/** However many calls are nowhere, they are looked for once. */
	@Test
	void callsOfManyResponsesAreReadWithOneStatement() {
		append(0, 100);
		store(this.name, summary("s1", 0, 90));
		store(this.name, answers("agent", "x-1"));
		int few = statements(() -> this.store.find(this.name, CONTEXT)).size();
		store(this.name, answers("agent", IntStream.range(0, 200).mapToObj((n) -> "x-" + n).toArray(String[]::new)));
		assertThat(statements(() -> this.store.find(this.name, CONTEXT))).hasSizeLessThanOrEqualTo(few);
	}

	/** ADK 2 names branches after the number of a run, and JSON is full of numbers. */
	@Test
	void runNumbersOfBranchesUseNoStatement() {
		append(0, 10);
		store(this.name, summary("s1", 0, 5));
		int few = statements(() -> this.store.find(this.name, CONTEXT)).size();
		store(this.name, Events.event("{\"author\":\"agent\",\"branch\":\"root.writer@1\",\"timestamp\":20}"));
		assertThat(statements(() -> this.store.find(this.name, CONTEXT))).hasSizeLessThanOrEqualTo(few);
	}

	/** An answer belongs to the latest call of its id, whether it waited or not. */
	@Test
	void responseBelongsToLatestCallOfId() {
		String call = "\"content\":{\"parts\":[{\"functionCall\":{\"id\":\"again\"}}]}";
		store(this.name, Events
			.event("{\"author\":\"agent\",\"timestamp\":1,\"longRunningToolIds\":[\"again\"],%s}".formatted(call)));
		store(this.name,
				Events.event("{\"author\":\"user\",\"timestamp\":1,%s}".formatted(call.replace("Call", "Response"))));
		store(this.name, Events.event("{\"id\":\"later\",\"author\":\"agent\",\"timestamp\":2,%s}".formatted(call)));
		store(this.name, summary("s1", 0, 3));
		store(this.name, answers("agent", "again"));
		assertThat(context()).contains("later").hasSize(3);
	}

	@Test
	void countsOnlyTheFirstCallsOfAnEvent() {
		String[] ids = IntStream.range(0, 1100).mapToObj((n) -> "c" + n).toArray(String[]::new);
		String calls = Stream.of(ids)
			.map("{\"functionCall\":{\"id\":\"%s\"}}"::formatted)
			.collect(Collectors.joining(","));
		String waiting = Stream.of(ids).map("\"%s\""::formatted).collect(Collectors.joining(","));
		store(this.name, Events.event("{\"author\":\"agent\",\"longRunningToolIds\":[%s],\"content\":{\"parts\":[%s]}}"
			.formatted(waiting, calls)));
		assertThat(rows()).isEqualTo(1000);
	}

	@Test
	void pendingCallsAreRemovedWithSession() {
		store(this.name, pending("c1"));
		store(this.name, summary("s1", 0, 1));
		assertThat(rows()).isEqualTo(1);
		this.store.delete(this.name, Precondition.NONE);
		assertThat(rows()).isZero();
		this.store.create(Sessions.empty(this.name));
		append(0, 3);
		assertThat(context()).hasSize(3);
	}

	@Test
	void showsAllSummariesThatOverlap() {
		append(0, 10);
		store(this.name, summary("s1", 0, 5));
		store(this.name, summary("s2", 5, 8));
		assertThat(context()).containsExactly("e9", "s1", "s2");
	}

	private int rows() {
		Integer rows = this.jdbc.queryForObject("""
				select count(*) from pending_calls where session_key = ?""", Integer.class,
				StoredKey.of(this.jdbc, this.name));
		return (rows != null) ? rows : -1;
	}

	private List<String> context() {
		return this.store.find(this.name, CONTEXT)
			.orElseThrow()
			.events()
			.toList()
			.stream()
			.map((event) -> event.id())
			.toList();
	}

	private static NewEvent answers(String author, String... ids) {
		return Events.event("{\"author\":\"%s\",\"timestamp\":50,\"content\":{\"parts\":[%s]}}".formatted(author,
				Stream.of(ids)
					.map("{\"functionResponse\":{\"id\":\"%s\"}}"::formatted)
					.collect(Collectors.joining(","))));
	}

	private void append(int first, int end) {
		for (int from = first; from < end; from += 500) {
			this.store.appendAll(this.name,
					IntStream.range(from, Math.min(end, from + 500))
						.mapToObj(PendingCallStatementsTests::event)
						.toList(),
					Precondition.NONE);
		}
	}

	private static NewEvent event(int number) {
		return Events.event("{\"id\":\"e%d\",\"author\":\"agent\",\"invocationId\":\"i%d\",\"timestamp\":%d}"
			.formatted(number, number, number));
	}

	private static NewEvent summary(String id, int from, int to) {
		return Events.event("""
				{"id":"%s","author":"user","timestamp":5e8,"actions":{"compaction":
				{"startTimestamp":%d,"endTimestamp":%d,"compactedContent":{"role":"model","parts":[]}}}}"""
			.formatted(id, from, to));
	}

	private static NewEvent pending(String id) {
		return Events.event("""
				{"author":"agent","longRunningToolIds":["%s"],"content":{"parts":[{"functionCall":{"id":"%s"}}]}}"""
			.formatted(id, id));
	}

	private static NewEvent answer(String id) {
		return Events.event(
				"{\"author\":\"user\",\"content\":{\"parts\":[{\"functionResponse\":{\"id\":\"%s\"}}]}}".formatted(id));
	}

	private static List<String> statements(Runnable action) {
		return StatementRecorder.record(action)
			.stream()
			.filter((statement) -> !statement.isControl())
			.map(Recorded::sql)
			.toList();
	}

}
