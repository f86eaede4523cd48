package dev.agentsessions.postgres.lifecycle;

import java.util.List;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.Placement.OnOneMachine;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.lifecycle.AppsAndUsers.CountedUser;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;

/** Lists the apps, and the users of an app. */
public interface AppsAndUsers {

	/** Returns the names of all apps, sorted by name. */
	List<String> appNames();

	/** Returns a page of the users of an app, in the order of their keys. */
	Page<UserSummary> users(UserQuery query);

	/**
	 * A user, and the sessions counted before.
	 *
	 * @param summary the summary in the response
	 * @param countedBefore the number of sessions counted of the users before
	 */
	record CountedUser(UserSummary summary, long countedBefore) {

		/** A page ends early when it has counted this number of sessions. */
		public static final int MAX_PAGE_SESSIONS = 50_000;

		/**
		 * Sessions to count of a user: one more than the response shows, to know whether
		 * there are more.
		 */
		public static final int MAX_SESSIONS = UserSummary.MAX_COUNTED_SESSIONS + 1;

		/**
		 * Returns the page without users that were read only to know whether more follow.
		 */
		public static Page<UserSummary> page(List<CountedUser> users, UserQuery query) {
			List<UserSummary> shown = users.stream()
				.limit(query.limit())
				.takeWhile((user) -> user.countedBefore() < MAX_PAGE_SESSIONS)
				.map(CountedUser::summary)
				.toList();
			return new Page<>(shown, shown.size() < users.size());
		}

	}

	/**
	 * Reads pages of the users of an app, in the order of their keys, along the index
	 * {@code sessions_by_update}. The order of their names would need another index, and
	 * every append would have to pay for it. It jumps from user to user, and counts a
	 * bounded number of the sessions of each. A page ends early when it has counted many.
	 */
	@Component
	@OnOneMachine
	class UserPageReader implements AppsAndUsers {

		/**
		 * Makes PostgreSQL read along the index. Otherwise it would read and sort all
		 * sessions of a user if most users have few, or all of the app if its statistics
		 * do not have the app yet.
		 */
		private static final String ALONG_THE_INDEX = "set local enable_sort = off";

		private static final String NEXT = """
				select user_key, user_id from sessions where app_key = ? and user_key > users.user_key and\s"""
				+ Sql.LIVE + """
						 order by user_key, last_update_time, id limit 1
						""";

		private static final String NEWEST = """
				select last_update_time from sessions where app_key = ? and user_key = next_one.user_key and\s"""
				+ Sql.LIVE + """
						 order by last_update_time desc, id desc limit ?
						""";

		/**
		 * {@code counted_before} is the number of sessions that the rows before have
		 * counted.
		 */
		private static final String PAGE = """
				with recursive users (number, user_key, user_id, last_update_time, sessions, counted_before) as (
				  select 0, cast(? as uuid), cast(null as text) collate "C", cast(null as timestamptz),
				    cast(0 as bigint), cast(0 as bigint)
				  union all
				  select users.number + 1, next_one.user_key, next_one.user_id, newest.last_update_time, newest.sessions,
				    users.counted_before + users.sessions
				  from users
				  cross join lateral (%s) as next_one
				  cross join lateral (
				    select max(last_update_time) as last_update_time, count(*) as sessions from (%s) as counted) as newest
				  where users.number <= ? and users.counted_before < ?)
				select user_id, last_update_time, sessions, counted_before from users where number > 0 order by number
				"""
			.formatted(NEXT, NEWEST);

		private final JdbcTemplate jdbc;

		private final Transactions transactions;

		private final SessionRepository sessions;

		UserPageReader(JdbcTemplate jdbc, Transactions transactions, SessionRepository sessions) {
			this.jdbc = jdbc;
			this.transactions = transactions;
			this.sessions = sessions;
		}

		@Override
		public List<String> appNames() {
			return this.transactions.statement(this.sessions::appNames);
		}

		@Override
		public Page<UserSummary> users(UserQuery query) {
			return this.transactions.read(() -> read(query));
		}

		/**
		 * Reads a page by one statement. It has to be alone in its transaction, because
		 * it changes a setting of it.
		 */
		Page<UserSummary> read(UserQuery query) {
			this.jdbc.execute(ALONG_THE_INDEX);
			UUID appKey = ScopeKey.of(query.app());
			return CountedUser.page(this.jdbc.query(PAGE,
					(row, number) -> new CountedUser(UserSummary.of(row.getString("user_id"),
							Columns.time(row, "last_update_time"), row.getInt("sessions")),
							row.getLong("counted_before")),
					ScopeKey.ofUserOrFirst(query.app().appName(), query.after()), appKey, appKey,
					CountedUser.MAX_SESSIONS, query.limit(), CountedUser.MAX_PAGE_SESSIONS), query);
		}

	}

}
