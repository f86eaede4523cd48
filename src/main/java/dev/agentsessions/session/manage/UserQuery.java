package dev.agentsessions.session.manage;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;

/**
 * Which users of an app to list.
 *
 * @param appName the app
 * @param behind the user after which the page begins, whether or not this user still
 * exists; {@code null} for the first page
 * @param limit the maximum number of users
 */
public record UserQuery(String appName, @Nullable String behind, int limit) {

	/** Maximum number of users of a page. */
	public static final int PAGE = 1000;

	public UserQuery {
		Identifiers.check("appName", appName);
		if (behind != null) {
			Identifiers.checkUser(behind);
		}
		limit = Math.min(limit, PAGE);
	}

	/** Returns this query for the page after a user. */
	public UserQuery behind(String userId) {
		return new UserQuery(this.appName, userId, this.limit);
	}

	/** Returns this query, with a smaller limit if its limit is greater. */
	UserQuery atMost(int size) {
		return new UserQuery(this.appName, this.behind, Math.min(this.limit, size));
	}

}
