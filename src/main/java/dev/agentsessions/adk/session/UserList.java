package dev.agentsessions.adk.session;

import java.math.BigDecimal;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.manage.UserQuery;
import dev.agentsessions.session.manage.UserSummary;
import dev.agentsessions.web.PageTokens;

/**
 * A page of the users of an app.
 *
 * @param users the users
 * @param nextPageToken where the next page begins; absent on the last one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record UserList(List<Item> users, @Nullable String nextPageToken) {

	static UserList from(Page<UserSummary> page, UserQuery query, PageTokens tokens) {
		return new UserList(page.items().stream().map(Item::from).toList(),
				page.more() ? tokens.issue(fingerprint(query), page.last().userId()) : null);
	}

	/** A query for the page that begins where a token says. */
	static UserQuery behind(String token, UserQuery query, PageTokens tokens) {
		return query.behind(tokens.position(token, fingerprint(query)).get(0));
	}

	private static List<?> fingerprint(UserQuery query) {
		return List.of("adk users", query.appName());
	}

	/**
	 * A user.
	 *
	 * @param userId the user
	 * @param sessions how many sessions they have, up to a thousand
	 * @param moreSessions whether there are more
	 * @param lastUpdateTime when the newest of them was updated, in seconds
	 */
	record Item(String userId, int sessions, boolean moreSessions, BigDecimal lastUpdateTime) {

		private static Item from(UserSummary user) {
			return new Item(user.userId(), user.sessions(), user.moreSessions(),
					Timestamps.toSeconds(user.lastUpdateTime()));
		}

	}

}
