package dev.agentsessions.postgres.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.QueryPlans;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.SearchService.Analyses;
import dev.agentsessions.search.SearchService.FoundTurns;
import dev.agentsessions.search.text.QueryReader;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.NewEvent;

/**
 * A search reads rows of its user only, however many other users there are.
 */
class SearchPlanTests extends PostgresStoreTest {

	private static final Pattern INDEX = Pattern
		.compile("Index (?:Only )?Scan (?:Backward )?using (\\w+)|Index Scan on (\\w+)");

	/**
	 * The driver prepares a statement after five executions, and PostgreSQL plans it for
	 * any values.
	 */
	private static final int EXECUTIONS = 20;

	private static final long HITS = 900;

	@Autowired
	private SearchService.Store search;

	@Autowired
	private Analyses analyses;

	@Autowired
	private JdbcConnectionDetails database;

	/** Rows of the others. */
	@AfterAll
	static void deleteOthers(@Autowired JdbcTemplate jdbc) {
		for (String table : List.of("said", "events", "sessions")) {
			jdbc.update("delete from " + table
					+ " where session_key in (select md5(n::text)::uuid from generate_series(0, 1999) as n)");
		}
	}

	@Test
	void usesNoIndexButPrimaryKeysAndThatOfTheSessionsOfAUser() {
		SessionName name = Sessions.newKey();
		this.store.create(Sessions.empty(name));
		this.store.append(name, Events
			.append(Events.event("{\"author\":\"user\",\"content\":{\"parts\":[{\"text\":\"a tulip and a rose\"}]}}")));
		fillWithOthers(name);
		for (int execution = 0; execution < EXECUTIONS; execution++) {
			assertThat(search(name).turns()).hasSize(1);
		}
		QueryPlans plans = new QueryPlans(this.jdbc, this.database);
		List<String> ofSearch = plans.of(() -> search(name))
			.stream()
			.flatMap(List::stream)
			.filter((plan) -> plan.contains("said"))
			.toList();
		assertThat(ofSearch).hasSizeGreaterThanOrEqualTo(3)
			.allSatisfy((plan) -> assertThat(indexes(plan)).isNotEmpty()
				.allMatch((index) -> index.endsWith("_pkey") || index.equals("sessions_by_update"), "a known index"))
			.noneMatch((plan) -> plan.contains("Seq Scan"));
		assertThat(ofSearch).anyMatch((plan) -> plan.contains("said_pkey") && plan.contains("memories_pkey")
				&& plan.contains("forgotten_pkey"));
		assertThat(plans.rowsRead(() -> search(name))).isLessThan(50);
	}

	/** PostgreSQL expects one hit, as it does when it plans for any values. */
	@Test
	void comparesNoHitWithEveryOther() {
		SessionName name = Sessions.newKey();
		this.store.create(Sessions.empty(name));
		this.store.appendAll(name, LongStream.range(0, HITS).mapToObj((number) -> said("tulip " + number)).toList(),
				Precondition.NONE);
		while (search(name).missing() > 0) {
			assertThat(search(name).turns()).isNotEmpty();
		}
		this.jdbc.update("delete from forgotten"); // of other tests; PostgreSQL reads a
													// small table for each hit
		long rows = new QueryPlans(this.jdbc, this.database).rowsProcessed(() -> search(name));
		assertThat(rows).isBetween(HITS, 50 * HITS);
	}

	private static NewEvent said(String text) {
		return Events.event("{\"author\":\"user\",\"content\":{\"parts\":[{\"text\":\"" + text + "\"}]}}");
	}

	private static List<String> indexes(String plan) {
		return INDEX.matcher(plan)
			.results()
			.map(MatchResult::group)
			.map((scan) -> scan.replaceFirst(".* ", ""))
			.toList();
	}

	private void fillWithOthers(SessionName name) {
		UUID user = UUID.randomUUID();
		this.jdbc.update(
				"""
						insert into said (user_key, session_key, turn, seq, words, said_at, author, same, tokens)
						select case when n % 10 = 0 then ?::uuid else md5((n % 500)::text)::uuid end, md5((n % 2000)::text)::uuid, n,
						  n, 4, now(), 'user', n, to_tsvector('simple', 'tulip and a rose ' || n % 50)
						from generate_series(1, 20000) as n
						""",
				user);
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
				select md5((n % 2000)::text)::uuid, n, 'e' || n, now(), now(), 'user', 'i', 2, '{}'
				from generate_series(1, 20000) as n
				""");
		this.jdbc.update(
				"""
						insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision,
						  details_revision, create_time, last_update_time)
						select md5(n::text)::uuid, gen_random_uuid(), ?, md5((n % 500)::text)::uuid, ?, 'u' || n % 500, 's' || n,
						  0, 0, now(), now()
						from generate_series(0, 1999) as n
						""",
				ScopeKey.ofApp(name.appName()), name.appName());
		this.jdbc.execute("analyze sessions, events, said, said_sessions, memories, forgotten");
	}

	private FoundTurns search(SessionName name) {
		return this.search.search(
				new SearchQuery(MemoryScope.of(name.user()), "tulips and roses", true,
						new Filter(List.of(), null, null, null, null, true), 0, 10, 0, 1),
				QueryReader.query(this.analyses.of(name.appName()), "tulips and roses"));
	}

}
