package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.QueryPlans;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** Pages of sessions whose states are large. */
class SessionPageReaderTests extends PostgresStoreTest {

	private static final int MEGABYTE = 1 << 20;

	@Autowired
	private JdbcConnectionDetails database;

	private final SessionName name = Sessions.newKey();

	/** One of them is easy to compress, the other one is not. */
	@ParameterizedTest
	@ValueSource(strings = { "repeat('x', %d)",
			"repeat((select string_agg(gen_random_uuid()::text, '') from generate_series(1, 2000)), %d / 72000)" })
	void endsAPageEarlyIfItsStatesAreLarge(String text) {
		createSessions(20, text.formatted(3 * MEGABYTE));
		List<Page<Session>> pages = pages(query(100, true));
		assertThat(pages).extracting((page) -> page.items().size()).containsExactly(5, 5, 5, 5);
		assertThat(pages.stream().flatMap((page) -> page.items().stream()).map((session) -> session.name().sessionId()))
			.containsExactlyElementsOf(ids(20));
		assertThat(pages.get(3).items().get(4).state()).containsOnlyKeys("large", "small");
	}

	@Test
	void neverReadsAPageOfLargeStatesAtOnce() {
		createSessions(20, "repeat('x', %d)".formatted(3 * MEGABYTE));
		assertThat(StatementRecorder.record(() -> this.store.list(query(100, true)))
			.stream()
			.filter((statement) -> statement.sql().contains("from state"))).hasSizeGreaterThanOrEqualTo(5);
	}

	/** Forks of one session with many keys: few requests make much to read. */
	@Test
	void readsOfManyKeysAboutWhatItReturns() {
		createSessions(1, "'s'");
		this.jdbc.update(
				"insert into state select ?, 'k' || n, to_json(repeat('x', 1400)) from generate_series(1, 1500) as n",
				ScopeKey.of(Sessions.sibling(this.name, "s00001")));
		createSessions(100, "'s'", 2);
		this.jdbc.update("""
				insert into state select session_key, key, value from sessions cross join state
				where user_key = ? and id > 's00001' and scope_key = ? and key like 'k%'
				""", ScopeKey.of(this.name.user()), ScopeKey.of(Sessions.sibling(this.name, "s00001")));
		List<Page<Session>> pages = new ArrayList<>();
		QueryPlans plans = new QueryPlans(this.jdbc, this.database);
		long rows = plans.rowsRead(() -> pages.add(this.store.list(query(1000, true))));
		assertThat(pages.get(0).more()).isTrue();
		assertThat(rows).isLessThan(4 * pages.get(0).items().stream().mapToLong((one) -> one.state().size()).sum());
		assertThat(pages(query(1000, true)).stream().flatMap((page) -> page.items().stream()))
			.allSatisfy((session) -> assertThat(session.state()).hasSize(1502))
			.extracting((session) -> session.name().sessionId())
			.containsExactlyElementsOf(ids(101));
	}

	@Test
	void readsASessionWithMoreKeysThanABatch() {
		createSessions(3, "'s'");
		this.jdbc.update(
				"""
						insert into state select session_key, 'k' || n, '1' from sessions cross join generate_series(1, 6000) as n
						where user_key = ?
						""",
				ScopeKey.of(this.name.user()));
		assertThat(pages(query(100, true))).singleElement()
			.satisfies((page) -> assertThat(page.items()).hasSize(3)
				.allSatisfy((session) -> assertThat(session.state()).hasSize(6002)));
	}

	@Test
	void countsWhatSessionsShareForEachOfThem() {
		createSessions(5, "'s'");
		this.store.changeState(this.name.user(), Map.of("k", new JsonText('"' + "x".repeat(6 * MEGABYTE) + '"')));
		assertThat(pages(query(100, true))).extracting((page) -> page.items().size()).containsExactly(2, 2, 1);
		assertThat(pages(query(100, false))).extracting((page) -> page.items().size()).containsExactly(5);
	}

	@Test
	void readsASessionThatIsLargerThanAPage() {
		createSessions(3, "repeat('x', %d)".formatted(17 * MEGABYTE));
		assertThat(pages(query(100, true))).extracting((page) -> page.items().size()).containsExactly(1, 1, 1);
	}

	@Test
	void readsAPageOfManySessionsPieceByPiece() {
		int many = 2 * SessionPageReader.MAX_BATCH_SESSIONS + 1;
		createSessions(many, "'s'");
		assertThat(pages(query(10_000, true))).extracting((page) -> page.items().size()).containsExactly(many);
		Page<Session> page = this.store.list(query(many - 1, true));
		assertThat(page.items()).hasSize(many - 1).allSatisfy((session) -> assertThat(session.state()).hasSize(2));
		assertThat(page.more()).isTrue();
	}

	private List<Page<Session>> pages(SessionQuery query) {
		List<Page<Session>> pages = new ArrayList<>();
		Page<Session> page = this.store.list(query);
		pages.add(page);
		while (page.more()) {
			page = this.store.list(query.after(query.position(page.last())));
			pages.add(page);
		}
		return pages;
	}

	private SessionQuery query(int limit, boolean withState) {
		return SessionQuery.of(this.name.user(), Order.USER, false, limit, new Filter(null, Map.of(), true), withState);
	}

	/**
	 * Creates sessions with one large text in the state, given in SQL, and a small one.
	 */
	private void createSessions(int count, String text) {
		createSessions(count, text, 1);
	}

	private void createSessions(int count, String text, int first) {
		List<Object[]> rows = new ArrayList<>();
		for (String id : ids(first + count - 1).subList(first - 1, first + count - 1)) {
			SessionName session = Sessions.sibling(this.name, id);
			rows.add(new Object[] { ScopeKey.of(session), ScopeKey.of(session), ScopeKey.of(session.app()),
					ScopeKey.of(session.user()), session.appName(), session.userId(), id });
		}
		this.jdbc.batchUpdate(
				"""
						with session as (
						  insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,
						    last_update_time)
						  values (?, ?, ?, ?, ?, ?, ?, 0, now(), now()) returning session_key)
						insert into state select session_key, key, to_json(text)
						from session, (values ('small', 's'), ('large', %s)) as state (key, text)
						"""
					.formatted(text),
				rows);
	}

	private static List<String> ids(int count) {
		return IntStream.rangeClosed(1, count).mapToObj("s%05d"::formatted).toList();
	}

}
