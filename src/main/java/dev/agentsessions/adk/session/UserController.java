package dev.agentsessions.adk.session;

import java.math.BigDecimal;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.lifecycle.SessionService.Erasure;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.PageTokens;

/** Lists and erases the users of an app. */
@RestController
class UserController {

	private static final String LIST = "adk users";

	private final SessionService sessions;

	private final PageTokens tokens;

	UserController(SessionService sessions, PageTokens tokens) {
		this.sessions = sessions;
		this.tokens = tokens;
	}

	@GetMapping("/apps/{appName}/users")
	UserList listUsers(@PathVariable String appName, @RequestParam @Nullable Integer limit,
			@RequestParam @Nullable String pageToken) {
		UserQuery query = new UserQuery(new StateOwner(appName, null), null, QueryParameters.pageSize(limit));
		Page<UserSummary> page = this.sessions.users((pageToken != null)
				? query.after(this.tokens.position(pageToken, LIST, List.of(query)).get(0)) : query);
		return new UserList(page.items().stream().map(UserList.Item::from).toList(),
				page.more() ? this.tokens.issue(LIST, List.of(query), page.last().userId()) : null);
	}

	/** Erases a user and returns how much was erased. */
	@DeleteMapping("/apps/{appName}/users/{userId}")
	Erasure eraseUser(@PathVariable String appName, @PathVariable String userId) {
		return this.sessions.eraseUser(appName, userId);
	}

	/**
	 * A page of the users of an app.
	 *
	 * @param users the users
	 * @param nextPageToken the token of the next page; absent on the last page
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record UserList(List<Item> users, @Nullable String nextPageToken) {

		/**
		 * A user.
		 *
		 * @param userId the user
		 * @param sessions the number of sessions of the user, up to a thousand
		 * @param moreSessions whether the user has more sessions
		 * @param lastUpdateTime the last update time of the newest session, in decimal
		 * seconds
		 */
		record Item(String userId, int sessions, boolean moreSessions, BigDecimal lastUpdateTime) {

			private static Item from(UserSummary user) {
				return new Item(user.userId(), user.sessions(), user.moreSessions(),
						Timestamps.toSeconds(user.lastUpdateTime()));
			}

		}

	}

}
