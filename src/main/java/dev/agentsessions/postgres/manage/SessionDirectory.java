package dev.agentsessions.postgres.manage;

import java.util.List;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.SessionEntity;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.manage.UserQuery;
import dev.agentsessions.session.manage.UserSummary;

/** Lists apps and users, and finds the user of a session. */
@Component
public class SessionDirectory {

	private static final Limit ENOUGH_TO_BE_AMBIGUOUS = Limit.of(2);

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final AppsAndUsers lists;

	SessionDirectory(Transactions transactions, SessionRepository sessions, AppsAndUsers lists) {
		this.transactions = transactions;
		this.sessions = sessions;
		this.lists = lists;
	}

	/** Returns the names of all apps, sorted by name. */
	List<String> appNames() {
		return this.lists.appNames();
	}

	/** Returns a page of the users of an app, in the order of their keys. */
	Page<UserSummary> users(UserQuery query) {
		return this.lists.users(query);
	}

	/** Returns the sessions of an app with an id, at most two. */
	List<SessionKey> locate(String appName, String sessionId) {
		return this.transactions
			.statement(() -> this.sessions.find(ScopeKey.ofApp(appName), sessionId, ENOUGH_TO_BE_AMBIGUOUS))
			.stream()
			.map(SessionEntity::key)
			.toList();
	}

}
