package dev.agentsessions.adk.session;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.manage.Erasure;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.session.manage.UserQuery;
import dev.agentsessions.web.PageTokens;

/** Lists and erases the users of an app. */
@RestController
class UserController {

	private final SessionService sessions;

	private final PageTokens tokens;

	UserController(SessionService sessions, PageTokens tokens) {
		this.sessions = sessions;
		this.tokens = tokens;
	}

	@GetMapping("/apps/{appName}/users")
	UserList listUsers(@PathVariable String appName, @RequestParam @Nullable Integer limit,
			@RequestParam @Nullable String pageToken) {
		UserQuery first = new UserQuery(new StateOwner(appName, null), null, QueryParameters.pageSize(limit));
		UserQuery query = (pageToken != null) ? UserList.after(pageToken, first, this.tokens) : first;
		return UserList.from(this.sessions.users(query), query, this.tokens);
	}

	/** Erases a user and returns how much was erased. */
	@DeleteMapping("/apps/{appName}/users/{userId}")
	Erasure eraseUser(@PathVariable String appName, @PathVariable String userId) {
		return this.sessions.eraseUser(appName, userId);
	}

}
