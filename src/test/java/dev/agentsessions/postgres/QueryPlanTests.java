package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Histories;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseException;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;
import dev.agentsessions.session.report.FailureService;
import dev.agentsessions.session.report.FailureService.Store.Slice;
import dev.agentsessions.session.report.UsageQuery;
import dev.agentsessions.session.report.UsageQuery.Grouping;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.watch.WatchService;

/** Every statement finds its rows by an index, however many others there are. */
class QueryPlanTests extends PostgresStoreTest {

	/** A busy user, and the session of theirs that has a long history. */
	private static final SessionName BUSY = Sessions.newKey();

	/** With a line that newer versions of PostgreSQL add. */
	private static final Pattern SUM_IN_ORDER_OF_INDEX = Pattern
		.compile("Limit .*\n *->  WindowAgg .*\n( *Window: .*\n)? *->  Index Scan using (pg_temp\\w*\\.)?events_pkey");

	private static final Filter EVERY = new Filter(null, Map.of(), false);

	@Autowired
	private WatchService.Store watches;

	@Autowired
	private HistoryService.Store past;

	@Autowired
	private UsageService.Store usage;

	@Autowired
	private FailureService.Store failures;

	@Autowired
	private JdbcConnectionDetails database;

	@BeforeAll
	static void fill(@Autowired Stores store, @Autowired JdbcTemplate jdbc) {
		UUID busy = store.create(Sessions.with(BUSY, "{\"a\":1,\"user:b\":2,\"app:c\":3}")).sessionKey();
		jdbc.update(
				"""
						insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,
						  last_update_time)
						select gen_random_uuid(), gen_random_uuid(), ?, case when n % 2 = 0 then ? else md5((n % 1000)::text)::uuid end, ?,
						  case when n % 2 = 0 then ? else 'user' || n % 1000 end, 's' || n, 0,
						  now(), now() + n * interval '1 second'
						from generate_series(2, 20000) as n
						""",
				ScopeKey.of(BUSY.app()), ScopeKey.of(BUSY.user()), BUSY.appName(), BUSY.userId());
		jdbc.update(
				"""
						insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,
						  last_update_time)
						select gen_random_uuid(), gen_random_uuid(), md5((n % 20)::text)::uuid, md5((n % 1000)::text)::uuid, 'app' || n % 20, 'user' || n % 1000, 's' || n, 0, now(), now()
						from generate_series(1, 10000) as n
						""");
		jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
				select case when n % 10 = 0 then ? else gen_random_uuid() end, n, 'e' || n,
				  now() + n * interval '1 second', now() + n * interval '1 second', 'agent', 'i' || n, 2, '{}'
				from generate_series(1, 50000) as n
				""", busy);
		jdbc.update("""
				insert into state (scope_key, key, value)
				select gen_random_uuid(), 'k' || n, '1' from generate_series(1, 20000) as n
				""");
		jdbc.update(
				"insert into keys_to_sweep (session_key, user_key, since) select gen_random_uuid(), gen_random_uuid(), "
						+ "now() + interval '1 day' from generate_series(1, 5000)");
		jdbc.execute("analyze");
	}

	/** Its history has gaps, which no session of the service has. */
	@AfterAll
	static void empty(@Autowired Stores store, @Autowired JdbcTemplate jdbc) {
		jdbc.update("delete from events where session_key = ?", StoredKey.of(jdbc, BUSY));
		store.delete(BUSY, Precondition.NONE);
		jdbc.update("delete from keys_to_sweep where since > now() + interval '2 hours'");
	}

	@Test
	void connectionsShunWholeTablesAndCompileNothing() {
		assertThat(this.jdbc.queryForObject("show enable_seqscan", String.class)).isEqualTo("off");
		assertThat(this.jdbc.queryForObject("show plan_cache_mode", String.class)).isEqualTo("force_generic_plan");
		assertThat(this.jdbc.queryForObject("show jit", String.class)).isEqualTo("off");
	}

	@ParameterizedTest
	@CsvSource({ "50,", "50,1970-01-01T00:00:00Z", ",1970-01-01T00:00:00Z", "," })
	void findsASession(@Nullable Integer recent, @Nullable Instant since) {
		List<List<String>> plans = assertUses(() -> this.store.find(BUSY, new EventWindow(recent, since)),
				"sessions_pkey");
		assertThat(plans.get(0)).allSatisfy((plan) -> assertThat(plan).contains("state_pkey", "events_pkey"));
	}

	/** A piece behind the first costs the same, wherever in the history it is. */
	@Test
	void readsALongHistoryInPieces() {
		SessionName name = Sessions.sibling(BUSY, "long");
		this.store.create(Sessions.empty(name));
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
				select ?, n, 'e' || n, now(), now(), 'agent', 'i', 2, '{}' from generate_series(1, 5000) as n
				""", StoredKey.of(this.jdbc, name));
		this.jdbc.update("update sessions set revision = 5000 where session_key = ?", StoredKey.of(this.jdbc, name));
		QueryPlans plans = new QueryPlans(this.jdbc, this.database);
		Iterator<EventStream> histories = Stream
			.generate(() -> this.store.find(name, EventWindow.ALL).orElseThrow().events())
			.limit(3)
			.toList()
			.iterator();
		Runnable reading = () -> assertThat(histories.next().toList()).hasSize(5000);
		Stream.concat(plans.of(reading).stream(), plans.ofEmptyTables(reading).stream())
			.flatMap(List::stream)
			.forEach((plan) -> assertThat(plan).containsPattern(SUM_IN_ORDER_OF_INDEX)
				.doesNotContain("Seq Scan", "events_id_key"));
		assertThat(plans.rowsRead(reading)).isBetween(8000L, 8100L);
		this.store.delete(name, Precondition.NONE);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void listsSessionsOfAUserInTheOrderOfTheIndex(boolean newestFirst) {
		SessionQuery first = SessionQuery.of(BUSY.user(), Order.USER, newestFirst, 50, EVERY, true);
		assertUsesInOrder(() -> this.store.list(first), "sessions_by_update", "state_pkey");
		SessionQuery later = first.after(first.position(this.store.list(first).last()));
		assertUsesInOrder(() -> this.store.list(later), "sessions_by_update", "state_pkey");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void listsSessionsOfAllUsersInTheOrderOfTheIndex(boolean newestFirst) {
		SessionQuery first = SessionQuery.of(BUSY.app(), Order.USER, newestFirst, 50, EVERY, true);
		assertUsesInOrder(() -> this.store.list(first), "sessions_by_update", "state_pkey");
		SessionQuery later = first.after(first.position(this.store.list(first).last()));
		assertUsesInOrder(() -> this.store.list(later), "sessions_by_update", "state_pkey");
	}

	@Test
	void listByCreateTimeSortsSessionsOfUserOnly() {
		SessionQuery query = SessionQuery.of(new StateOwner(BUSY.appName(), "user1"), Order.CREATE_TIME, true, 50,
				EVERY, false);
		assertUses(() -> this.store.list(query), "sessions_by_update");
	}

	@Test
	void listsSessionsThatMatchAFilter() {
		Filter filter = new Filter("Holiday", Map.of("a", "1"), false);
		SessionQuery query = SessionQuery.of(BUSY.user(), Order.USER, false, 50, filter, false);
		assertUses(() -> this.store.list(query), "sessions_by_update");
	}

	@Test
	void findsSessionsByTheirEvents() {
		SessionName name = Sessions.sibling(BUSY, "failed");
		this.store.create(Sessions.with(name, "{}", """
				{"author":"a","errorCode":"E","content":{"parts":[{"functionCall":{"name":"f"}}]}}"""));
		SessionQuery query = SessionQuery.of(BUSY.user(), Order.USER, true, 50, EVERY, false);
		EventCondition error = new EventCondition(Instant.EPOCH, null, true, null, null);
		assertUses(() -> assertThat(this.store.find(query, error).items()).hasSize(1), "sessions_by_update",
				"events_with_errors", "sessions_pkey");
		FoundSessions found = this.store.find(query, error);
		Slice failed = new Slice(name, found.items().get(0).session().sessionKey(), 0, found.items().get(0).seq());
		for (List<Slice> slices : List.of(List.of(failed), List.of(failed, failed))) {
			assertUses(() -> assertThat(this.failures.read(slices, error, (event) -> {
			})).isEmpty(), "events_with_errors");
			assertUses(() -> assertThat(this.failures.newest(slices)).hasSize(slices.size())
				.allMatch((newest) -> newest.failed() && !newest.waits()), "events_pkey");
		}
		EventCondition tool = new EventCondition(Instant.EPOCH, Timestamps.MAX, false, "f", "a");
		assertUses(() -> assertThat(this.store.find(query, tool).items()).hasSize(1), "sessions_by_update",
				"events_pkey", "events_", "sessions_pkey");
		this.store.delete(name, Precondition.NONE);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void listsEventsInTheOrderOfTheIndex(boolean newestFirst) {
		EventQuery first = EventQuery.of(newestFirst, 50);
		assertUsesInOrder(() -> this.store.events(BUSY, first), "events_pkey");
		EventQuery later = first.after(10_000);
		assertUsesInOrder(() -> this.store.events(BUSY, later), "events_pkey");
		EventQuery filtered = EventQuery.of(newestFirst, 50).filtered(new EventFilter(Instant.EPOCH, "agent", "i10"));
		assertUses(() -> this.store.events(BUSY, filtered), "events_");
	}

	@Test
	void findsSessionsByTheirId() {
		assertUses(() -> this.store.list(withId(null)), "sessions_by_id");
		assertUses(() -> this.store.list(withId(BUSY.userId())), "sessions_name_key");
	}

	private static SessionQuery withId(@Nullable String userId) {
		return SessionQuery.of(new StateOwner(BUSY.appName(), userId), Order.USER, false, 50,
				new Filter(null, Map.of(), true, false, "s17", null), false);
	}

	@Test
	void findsASessionFromAnEventOn() {
		EventWindow window = new EventWindow(null, null, HistoryView.FULL, 40_000);
		List<List<String>> plans = assertUses(() -> this.store.find(BUSY, window), "sessions_pkey");
		assertThat(plans.get(0)).allSatisfy((plan) -> assertThat(plan).contains("state_pkey", "events_pkey"));
		QueryPlans rows = new QueryPlans(this.jdbc, this.database);
		assertThat(rows.rowsRead(() -> this.store.find(BUSY, window))).isLessThan(1100);
	}

	@Test
	void readsEventsByTheirIds() {
		assertUses(() -> this.store.events(BUSY, List.of("e10", "e20", "no")), "events_id_key");
	}

	@Test
	void readsOneEvent() {
		assertUses(() -> this.store.event(BUSY, "e10"), "events_id_key", "sessions_pkey", "events_id_key");
	}

	@Test
	void readsAndChangesSharedState() {
		assertUses(() -> this.store.state(BUSY.app()), "state_pkey", "state_pkey");
		assertUses(() -> this.store.changeState(BUSY.app(), Sessions.state("{\"c\":" + Events.REMOVED + "}")), "",
				"state_pkey", "state_pkey");
	}

	@Test
	void readsThePast() {
		assertUses(() -> this.past.find(BUSY, HistoryPoint.after(0), EventWindow.NONE), "sessions_pkey", "events_");
		assertUses(
				() -> assertThatExceptionOfType(SessionException.InvocationNotFound.class)
					.isThrownBy(() -> this.past.find(BUSY, HistoryPoint.before("none"), EventWindow.NONE)),
				"sessions_pkey", "events_");
	}

	@Test
	void forks() {
		ForkRequest fork = new ForkRequest(BUSY, HistoryPoint.after(0), Sessions.sibling(BUSY, "fork"),
				SessionDetails.NONE, Precondition.NONE);
		assertUses(() -> Histories.of(this.store, this.past).fork(fork, EventWindow.NONE), "sessions_pkey", "events_",
				"sessions_pkey", "events_", "sessions_name_key", "", "keys_to_sweep_pkey", "sessions_pkey", "",
				"artifact_versions_pkey", "", "events_pkey", "keys_to_sweep_pkey", "", "events_", "initial_state_pkey",
				"pending_calls_pkey", "sessions_pkey", "sessions_pkey");
		this.store.delete(fork.target(), Precondition.NONE);
	}

	@Test
	void namesApps() {
		assertUses(() -> this.store.appNames(), "sessions_by_");
	}

	@Test
	void userListReadsIndexInOrder() {
		UserQuery first = new UserQuery(BUSY.app(), null, 50);
		assertUsesInOrder(() -> this.store.users(first), "sessions_by_update");
		assertUsesInOrder(() -> this.store.users(first.after(BUSY.userId())), "sessions_by_update");
		new QueryPlans(this.jdbc, this.database).ofEmptyTables(() -> this.store.users(first))
			.forEach(QueryPlanTests::assertInOrder);
	}

	/** There are 500 users of 20 sessions each, and one of 10,000. */
	@Test
	void readsNoMoreRowsForAPageOfUsersThanItCounts() {
		QueryPlans plans = new QueryPlans(this.jdbc, this.database);
		long counted = UserSummary.MAX_COUNTED_SESSIONS + 1;
		assertThat(plans.rowsRead(() -> this.store.users(new UserQuery(BUSY.app(), null, 50)))).isBetween(50L * 20,
				51 * (20 + 1) + counted);
		assertThat(plans.rowsRead(() -> this.store.users(new UserQuery(BUSY.app(), null, 1000))))
			.isBetween(500 * (20 + 1) + counted, 501 * (20 + 1) + counted);
	}

	@Test
	void addsUpUsage() {
		SessionName name = Sessions.sibling(BUSY, "spent");
		this.store.create(Sessions.empty(name));
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
				select ?, n, 'e' || n, now(), now(), 'agent', 'i', 2, '{}' from generate_series(1, 5000) as n
				""", StoredKey.of(this.jdbc, name));
		this.jdbc.update("update sessions set revision = 5000 where session_key = ?", StoredKey.of(this.jdbc, name));
		assertUses(() -> read(UsageQuery.ofSession(name)), "sessions_pkey", "events_pkey", "events_pkey", "events_pkey",
				"sessions_pkey");
		assertUses(() -> this.usage.readBefore(name, 1500, "i", (event) -> {
		}), "sessions_pkey", "events_pkey", "events_pkey", "sessions_pkey");
		assertUses(() -> read(ofUser("user1")), "sessions_by_update");
		new QueryPlans(this.jdbc, this.database).of(() -> read(ofUser(null)))
			.stream()
			.flatMap(List::stream)
			.forEach((plan) -> assertThat(plan).containsAnyOf("sessions_by_id", "events_pkey")
				.doesNotContain("Seq Scan", "events_id_key"));
		this.store.delete(name, Precondition.NONE);
	}

	private static UsageQuery ofUser(@Nullable String userId) {
		return new UsageQuery(new StateOwner(BUSY.appName(), userId), null, Grouping.DAY, null, null, null, true);
	}

	private void read(UsageQuery query) {
		this.usage.read(query, () -> false, (event) -> {
		});
	}

	@Test
	void looksAtWatchedSessions() {
		Map<UUID, SessionName> watched = IntStream.range(0, 1000)
			.boxed()
			.collect(Collectors.toMap((number) -> UUID.randomUUID(), (number) -> BUSY));
		assertUses(() -> this.watches.live(watched), "sessions_pkey");
		UUID sessionKey = sessionKey();
		Instant time = Objects.requireNonNull(
				this.jdbc.queryForObject("select commit_time from events where session_key = ? and seq = 10000",
						OffsetDateTime.class, sessionKey))
			.toInstant();
		assertUses(() -> this.watches.following(BUSY, new EventPoint(sessionKey, 10_000, time)), "events_pkey");
	}

	@Test
	void appends() {
		assertUses(
				() -> this.store.append(BUSY,
						Events.append(Events.delta("{\"a\":1,\"app:c\":" + Events.REMOVED + "}"))),
				"sessions_pkey", "state_pkey");
	}

	@Test
	void readsNoWholeTableWithPlansFromWhenItWasEmpty() {
		NewEvent large = Events.event("{\"filler\":\"%s\"}".formatted("x".repeat(100_000)));
		List<List<String>> plans = new QueryPlans(this.jdbc, this.database).ofEmptyTables(() -> {
			this.store.append(BUSY, Events.append(Events.delta("{\"a\":1,\"app:c\":" + Events.REMOVED + "}")));
			this.store.append(BUSY, Events.append(large));
			this.store.appendAll(BUSY, List.of(Events.delta("{\"user:a\":1}")), Precondition.NONE);
			this.store.find(BUSY, new EventWindow(50, null));
			this.store.event(BUSY, "e10");
		});
		assertThat(plans).hasSizeGreaterThan(5)
			.allSatisfy((ofOne) -> assertThat(ofOne).noneMatch((plan) -> plan.contains("Seq Scan")));
	}

	@Test
	void appendsALargeEventAlone() {
		NewEvent large = Events.event("{\"filler\":\"%s\",\"actions\":{\"stateDelta\":{\"a\":1,\"app:c\":%s}}}"
			.formatted("x".repeat(100_000), Events.REMOVED));
		assertUses(() -> this.store.append(BUSY, Events.append(large)), "sessions_pkey", "state_pkey");
	}

	@Test
	void appendsABatch() {
		List<NewEvent> events = List.of(Events.delta("{\"a\":1}"), Events.delta("{\"app:c\":3}"));
		assertUses(() -> this.store.appendAll(BUSY, events, Precondition.NONE), "sessions_pkey");
		assertUses(() -> this.store.appendAll(BUSY, List.of(events.get(0), Events.id("new")), Precondition.NONE),
				"sessions_pkey", "events_id_key", "sessions_pkey", "events_id_key", "sessions_pkey", "events_id_key",
				"sessions_pkey");
	}

	@Test
	void findsOutWhyAnAppendIsRefused() {
		Precondition stale = new Precondition(null, Instant.now().minusSeconds(60));
		AppendRequest late = new AppendRequest(Events.delta("{}"), stale);
		assertUses(
				() -> assertThatExceptionOfType(SessionException.Stale.class)
					.isThrownBy(() -> this.store.append(BUSY, late)),
				"sessions_pkey", "events_id_key", "sessions_pkey", "events_id_key", "events_");
	}

	@Test
	void leases() {
		LeaseRequest request = new LeaseRequest("a", Duration.ofMinutes(1), true);
		SessionName name = Sessions.sibling(BUSY, "leased");
		this.store.create(Sessions.empty(name));
		assertUses(() -> this.store.acquire(name, request, Precondition.NONE), "sessions_pkey", "", "sessions_pkey");
		long number = this.store.acquire(name, request, Precondition.NONE).number();
		AppendRequest append = new AppendRequest(Events.id("e1"), Precondition.NONE.under(number));
		assertUses(() -> this.store.append(name, append), "sessions_pkey");
		assertUses(
				() -> assertThatExceptionOfType(LeaseException.Busy.class)
					.isThrownBy(() -> this.store.append(name, Events.append(Events.id("e2")))),
				"sessions_pkey", "events_id_key", "sessions_pkey", "events_id_key", "");
		assertUses(() -> this.store.release(name, number), "sessions_pkey", "sessions_pkey");
		this.store.delete(name, Precondition.NONE);
	}

	@Test
	void describes() {
		SessionDetails details = new SessionDetails("Holiday", null);
		assertUses(() -> this.store.updateDetails(BUSY, details, Precondition.NONE), "sessions_pkey", "sessions_pkey");
	}

	@Test
	void deletes() {
		SessionName name = Sessions.sibling(BUSY, "gone");
		this.store.create(Sessions.with(name, "{}", """
				{"longRunningToolIds":["c"],"content":{"parts":[{"functionCall":{"id":"c"}}]}}"""));
		assertUses(() -> this.store.delete(name, Precondition.NONE), "sessions_pkey", "", "keys_to_sweep_pkey",
				"events_", "keys_to_sweep_pkey", "", "pending_calls_pkey", "said_sessions_pkey", "state_pkey",
				"artifact_versions_pkey", "artifacts_pkey", "keys_to_sweep_pkey")
			.forEach((plans) -> assertThat(plans).as("each row with each")
				.noneMatch((plan) -> plan.contains("Join"))
				.noneMatch((plan) -> plan.contains("Nested Loop")));
	}

	@Test
	void erases() {
		SessionName name = Sessions.ofUser(BUSY, "gone");
		this.store.create(Sessions.with(name, "{\"user:a\":1}", "{\"id\":\"e1\"}"));
		assertUses(() -> this.store.erase(name.user()), "keys_to_sweep_by_user", "sessions_by_update", "sessions_pkey",
				"sessions_pkey", "", "keys_to_sweep_pkey", "events_pkey", "keys_to_sweep_pkey", "",
				"pending_calls_pkey", "said_sessions_pkey", "state_pkey", "artifact_versions_pkey", "artifacts_pkey",
				"keys_to_sweep_pkey", "keys_to_sweep_by_user", "keys_to_sweep_by_user", "sessions_by_update",
				"state_pkey", "state_pkey", "memories_pkey", "forgotten_pkey", "artifact_versions_pkey",
				"artifacts_pkey", "artifact_blobs_pkey", "memories_by_named_user");
	}

	private UUID sessionKey() {
		return this.store.find(BUSY, EventWindow.NONE).orElseThrow().sessionKey();
	}

	/** Asserts which index each statement uses, and that none reads a whole table. */
	private List<List<String>> assertUses(Runnable action, String... indexes) {
		List<List<String>> plans = new QueryPlans(this.jdbc, this.database).of(action);
		assertThat(plans).hasSameSizeAs(indexes);
		for (int number = 0; number < indexes.length; number++) {
			String index = indexes[number];
			assertThat(plans.get(number))
				.allSatisfy((plan) -> assertThat(plan).contains(index).doesNotContain("Seq Scan"));
		}
		return plans;
	}

	/**
	 * Asserts, too, that the first statement stops when its page is full: what it limits
	 * was not sorted for it.
	 */
	private void assertUsesInOrder(Runnable action, String... indexes) {
		List<List<String>> plans = assertUses(action, indexes);
		assertInOrder(plans.get(0));
	}

	private static void assertInOrder(List<String> plans) {
		assertThat(plans)
			.allSatisfy((plan) -> assertThat(plan.substring(plan.indexOf("Limit"))).doesNotContain("Sort", "Bitmap"));
	}

}
