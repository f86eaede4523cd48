package dev.agentsessions.postgres.manage;

import java.util.List;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.DistributionProperties;
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

	private final UserPageReader users;

	private final boolean distributed;

	SessionDirectory(Transactions transactions, SessionRepository sessions, UserPageReader users,
			DistributionProperties properties) {
		this.transactions = transactions;
		this.sessions = sessions;
		this.users = users;
		this.distributed = properties.distributed();
	}

	/** Returns the names of all apps, sorted by name. */
	List<String> appNames() {
		return this.transactions
			.statement(() -> this.distributed ? this.sessions.appNamesOneByOne() : this.sessions.appNames());
	}

	/** Returns a page of the users of an app, in the order of their keys. */
	Page<UserSummary> users(UserQuery query) {
		return this.distributed ? this.transactions.statement(() -> this.users.readOneByOne(query))
				: this.transactions.read(() -> this.users.read(query));
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
