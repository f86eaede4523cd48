package dev.agentsessions.session.manage;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Page;

/**
 * Which users of an app to list.
 *
 * @param appName the app
 * @param after the user after which the page begins, whether or not this user still
 * exists; {@code null} for the first page
 * @param limit the maximum number of users
 */
public record UserQuery(String appName, @Page.Only @Nullable String after, @Page.Only int limit) {

	/** Maximum number of users of a page. */
	public static final int MAX_LIMIT = 1000;

	public UserQuery {
		Identifiers.check("appName", appName);
		if (after != null) {
			Identifiers.checkUser(after);
		}
		limit = Math.min(limit, MAX_LIMIT);
	}

	/** Returns this query for the page after a user. */
	public UserQuery after(String userId) {
		return new UserQuery(this.appName, userId, this.limit);
	}

	/** Returns this query, with a smaller limit if its limit is greater. */
	UserQuery atMost(int size) {
		return new UserQuery(this.appName, this.after, Math.min(this.limit, size));
	}

}
