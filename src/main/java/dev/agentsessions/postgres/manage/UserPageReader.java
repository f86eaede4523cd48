package dev.agentsessions.postgres.manage;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.manage.UserQuery;
import dev.agentsessions.session.manage.UserSummary;

/**
 * Reads pages of the users of an app, in the order of their keys, as the index
 * {@code sessions_by_update} has them: in that of their names it would have to be another
 * index, which every append had to pay for. It jumps from user to user, and counts a
 * bounded number of the sessions of each; a page ends early when it has counted many.
 */
@Component
class UserPageReader {

	/** A page counts about so many sessions at most, but those of one user. */
	static final int SESSIONS_OF_PAGE = 50_000;

	/** One more than is told, to know whether there are more. */
	private static final int COUNTED = UserSummary.MOST_COUNTED + 1;

	private static final UUID FIRST_KEY = new UUID(0, 0);

	/**
	 * The statement asks for the order of the index. PostgreSQL would else read and sort
	 * all sessions of a user if most users have few, or all those of the app if its
	 * statistics do not know it yet.
	 */
	private static final String ALONG_THE_INDEX = "set local enable_sort = off";

	private static final String NEXT = """
			select user_key, user_id from sessions where app_key = ? and user_key > users.user_key and\s""" + Sql.LIVE
			+ """
					 order by user_key, last_update_time, id limit 1
					""";

	private static final String NEWEST = """
			select last_update_time from sessions where app_key = ? and user_key = %s and\s""" + Sql.LIVE + """
			 order by last_update_time desc, id desc limit ?
			""";

	private static final String NEWEST_OF_USER = NEWEST.formatted("?");

	/** Each row has how many sessions those before it have counted. */
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
			""".formatted(NEXT, NEWEST.formatted("next_one.user_key"));

	private final JdbcTemplate jdbc;

	private final UserIndexStatements list;

	UserPageReader(JdbcTemplate jdbc, UserIndexStatements list) {
		this.jdbc = jdbc;
		this.list = list;
	}

	/** Reads a page by one statement, in a transaction of which it is the only one. */
	Page<UserSummary> read(UserQuery query) {
		this.jdbc.execute(ALONG_THE_INDEX);
		UUID appKey = ScopeKey.ofApp(query.appName());
		return page(this.jdbc.query(PAGE,
				(row, number) -> new CountedUser(UserSummary.of(row.getString("user_id"),
						Columns.time(row, "last_update_time"), row.getInt("sessions")), row.getLong("counted_before")),
				keyOf(query), appKey, appKey, COUNTED, query.limit(), SESSIONS_OF_PAGE), query);
	}

	/** The same by two statements for each user: Citus knows no such jumps. */
	Page<UserSummary> readOneByOne(UserQuery query) {
		List<CountedUser> users = new ArrayList<>();
		long counted = 0;
		Optional<String> next = this.list.nextUser(query.appName(), query.behind());
		while (next.isPresent() && !isFull(users, query)) {
			String userId = next.get();
			List<Instant> newest = newest(new StateOwner(query.appName(), userId));
			if (!newest.isEmpty()) {
				users.add(new CountedUser(UserSummary.of(userId, newest.get(0), newest.size()), counted));
			}
			counted += newest.size();
			next = this.list.nextUser(query.appName(), userId);
		}
		return page(users, query);
	}

	private static boolean isFull(List<CountedUser> users, UserQuery query) {
		return users.size() > query.limit()
				|| !users.isEmpty() && users.get(users.size() - 1).countedBefore() >= SESSIONS_OF_PAGE;
	}

	private List<Instant> newest(StateOwner user) {
		return this.jdbc.query(NEWEST_OF_USER, (row, number) -> Columns.time(row, "last_update_time"),
				ScopeKey.ofApp(user.appName()), ScopeKey.of(user), COUNTED);
	}

	private static UUID keyOf(UserQuery query) {
		return (query.behind() != null) ? ScopeKey.of(new StateOwner(query.appName(), query.behind())) : FIRST_KEY;
	}

	/** Cuts off who was read only to learn whether more follow. */
	private static Page<UserSummary> page(List<CountedUser> users, UserQuery query) {
		List<UserSummary> shown = users.stream()
			.limit(query.limit())
			.takeWhile((user) -> user.countedBefore() < SESSIONS_OF_PAGE)
			.map(CountedUser::summary)
			.toList();
		return new Page<>(shown, shown.size() < users.size());
	}

	/**
	 * A user who was read.
	 *
	 * @param summary what is told of them
	 * @param countedBefore how many sessions were counted of those before them
	 */
	private record CountedUser(UserSummary summary, long countedBefore) {

	}

}
