package dev.agentsessions.postgres.citus;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.lifecycle.AppsAndUsers;
import dev.agentsessions.postgres.lifecycle.AppsAndUsers.CountedUser;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;

/**
 * Lists apps by a statement for each, and users by two for each: Citus executes no
 * recursive statement.
 */
@Component
@ConditionalOnBooleanProperty("agent-sessions.distributed")
public class DistributedDirectory implements AppsAndUsers {

	private static final String NEWEST = """
			select last_update_time from sessions where app_key = ? and user_key = ? and\s""" + Sql.LIVE + """
			 order by last_update_time desc, id desc limit ?
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final SessionRepository sessions;

	DistributedDirectory(JdbcTemplate jdbc, Transactions transactions, SessionRepository sessions) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.sessions = sessions;
	}

	@Override
	public List<String> appNames() {
		return this.transactions.statement(() -> Stream
			.iterate(this.sessions.nextApp(ScopeKey.FIRST), Optional::isPresent,
					(app) -> this.sessions.nextApp(app.orElseThrow().scopes().app()))
			.map((app) -> app.orElseThrow().name().appName())
			.sorted(ScopeKey.ORDER_OF_NAMES)
			.toList());
	}

	@Override
	public Page<UserSummary> users(UserQuery query) {
		return this.transactions.statement(() -> CountedUser.page(read(query), query));
	}

	private List<CountedUser> read(UserQuery query) {
		List<CountedUser> users = new ArrayList<>();
		long counted = 0;
		Optional<String> next = this.sessions.nextUser(query.app().appName(), query.after());
		while (next.isPresent() && !isFull(users, query)) {
			String userId = next.get();
			List<Instant> newest = newest(new StateOwner(query.app().appName(), userId));
			if (!newest.isEmpty()) {
				users.add(new CountedUser(UserSummary.of(userId, newest.get(0), newest.size()), counted));
			}
			counted += newest.size();
			next = this.sessions.nextUser(query.app().appName(), userId);
		}
		return users;
	}

	private static boolean isFull(List<CountedUser> users, UserQuery query) {
		return users.size() > query.limit()
				|| !users.isEmpty() && users.get(users.size() - 1).countedBefore() >= CountedUser.MAX_PAGE_SESSIONS;
	}

	private List<Instant> newest(StateOwner user) {
		return this.jdbc.query(NEWEST, (row, number) -> Columns.time(row, "last_update_time"),
				ScopeKey.ofApp(user.appName()), ScopeKey.of(user), CountedUser.MAX_SESSIONS);
	}

}
