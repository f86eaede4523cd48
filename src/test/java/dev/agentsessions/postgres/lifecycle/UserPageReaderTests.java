package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.postgres.QueryPlans;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.citus.DistributedDirectory;
import dev.agentsessions.postgres.lifecycle.AppsAndUsers.CountedUser;
import dev.agentsessions.postgres.lifecycle.AppsAndUsers.UserPageReader;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;

/** Pages of users who have many sessions. */
@PostgresTest
class UserPageReaderTests {

	private static final int COUNTED = UserSummary.MAX_COUNTED_SESSIONS;

	@Autowired
	private UserPageReader pages;

	@Autowired
	private AutowireCapableBeanFactory beans;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private JdbcConnectionDetails database;

	private final String app = Sessions.newApp();

	@AfterEach
	void empty() {
		this.jdbc.update("delete from sessions where app_key = ?", ScopeKey.ofApp(this.app));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void countsAThousandSessionsOfAUserAndSaysWhetherThereAreMore(boolean oneByOne) {
		List.of(1, COUNTED - 1, COUNTED, COUNTED + 1, 3 * COUNTED).forEach((count) -> create("has" + count, count));
		assertThat(page(query(10), oneByOne).items()).allSatisfy((user) -> {
			int has = Integer.parseInt(user.userId().substring("has".length()));
			assertThat(user.sessions()).isEqualTo(Math.min(has, COUNTED));
			assertThat(user.moreSessions()).isEqualTo(has > COUNTED);
			assertThat(user.lastUpdateTime()).isEqualTo(newest(user.userId()));
		}).hasSize(5);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void endsAPageEarlyThatHasCountedManySessions(boolean oneByOne) {
		int users = 60;
		createBusyUsers(users);
		int full = CountedUser.MAX_PAGE_SESSIONS / (COUNTED + 1) + 1;
		List<Page<UserSummary>> all = pages(query(100), oneByOne);
		assertThat(all).extracting((page) -> page.items().size()).containsExactly(full, users - full);
		assertThat(all.stream().flatMap((page) -> page.items().stream()).map(UserSummary::userId)).hasSize(users)
			.doesNotHaveDuplicates();
	}

	/** The statistics of the table do not know of the app. */
	@Test
	void readsNothingOfThePagesThatFollow() {
		create("another", 10 * COUNTED);
		empty();
		this.jdbc.execute("analyze sessions");
		createBusyUsers(60);
		long rows = new QueryPlans(this.jdbc, this.database).rowsRead(() -> this.pages.read(query(100)));
		assertThat(rows).isBetween((long) CountedUser.MAX_PAGE_SESSIONS, CountedUser.MAX_PAGE_SESSIONS + 3L * COUNTED);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void leavesOutWhatHasExpiredAndWhatIsBeingRemovedWhereverItIs(boolean oneByOne) {
		create("gone", 3);
		create("kept", 5);
		expire("gone", "expire_time is null");
		expire("kept", "id in ('s1', 's3', 's5')");
		List<UserSummary> users = page(query(10), oneByOne).items();
		assertThat(users).extracting(UserSummary::userId).containsExactly("kept");
		assertThat(users.get(0).sessions()).isEqualTo(2);
		assertThat(users.get(0).lastUpdateTime()).isBefore(newest("kept"));
		assertThat(page(query(1), oneByOne).more()).isFalse();
	}

	@Test
	void goesByTheKeysOfUsersAndThousandAtMostMakeAPage() {
		List<String> names = new ArrayList<>();
		for (int number = 0; number < UserQuery.MAX_LIMIT + 1; number++) {
			names.add("n" + number);
			create("n" + number, 1);
		}
		names.sort(Comparator.comparing((String name) -> ScopeKey.of(new StateOwner(this.app, name)), ScopeKey.ORDER));
		for (boolean oneByOne : new boolean[] { false, true }) {
			List<Page<UserSummary>> all = pages(query(Integer.MAX_VALUE), oneByOne);
			assertThat(all).extracting((page) -> page.items().size()).containsExactly(UserQuery.MAX_LIMIT, 1);
			assertThat(all.stream().flatMap((page) -> page.items().stream()).map(UserSummary::userId))
				.containsExactlyElementsOf(names);
		}
	}

	private UserQuery query(int limit) {
		return new UserQuery(new StateOwner(this.app, null), null, limit);
	}

	private Page<UserSummary> page(UserQuery query, boolean oneByOne) {
		AppsAndUsers lists = oneByOne ? this.beans.createBean(DistributedDirectory.class) : this.pages;
		return lists.users(query);
	}

	private List<Page<UserSummary>> pages(UserQuery query, boolean oneByOne) {
		List<Page<UserSummary>> pages = new ArrayList<>();
		@Nullable UserQuery next = query;
		while (next != null) {
			Page<UserSummary> page = page(next, oneByOne);
			pages.add(page);
			next = page.more() ? query.after(page.last().userId()) : null;
		}
		return pages;
	}

	private void createBusyUsers(int count) {
		for (int number = 0; number < count; number++) {
			create("u" + number, COUNTED + 1);
		}
	}

	private void create(String user, int count) {
		this.jdbc.update(
				"""
						insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,
						  last_update_time)
						select gen_random_uuid(), gen_random_uuid(), ?, ?, ?, ?, 's' || n, 0, now(), now() + n * interval '1 second'
						from generate_series(1, ?) as n
						""",
				ScopeKey.ofApp(this.app), ScopeKey.of(new StateOwner(this.app, user)), this.app, user, count);
	}

	private void expire(String user, String which) {
		this.jdbc.update("update sessions set expire_time = case id when 's1' then '-infinity' else now() end "
				+ "where app_key = ? and user_id = ? and " + which, ScopeKey.ofApp(this.app), user);
	}

	private Instant newest(String user) {
		return this.jdbc
			.queryForObject("select max(last_update_time) from sessions where app_key = ? and user_id = ?",
					OffsetDateTime.class, ScopeKey.ofApp(this.app), user)
			.toInstant();
	}

}
