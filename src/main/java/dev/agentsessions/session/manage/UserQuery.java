package dev.agentsessions.session.manage;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Identifiers;

/**
 * Which users of an app to list.
 *
 * @param appName the app
 * @param behind the user behind whom the page begins, whether or not they are still
 * there; {@code null} for the first page
 * @param limit at most so many
 */
public record UserQuery(String appName, @Nullable String behind, int limit) {

	/** So many at most make a page. */
	public static final int PAGE = 1000;

	public UserQuery {
		Identifiers.check("appName", appName);
		if (behind != null) {
			Identifiers.checkUser(behind);
		}
		limit = Math.min(limit, PAGE);
	}

	/** This query for the page that begins behind a user. */
	public UserQuery behind(String userId) {
		return new UserQuery(this.appName, userId, this.limit);
	}

	/** This query, or that for a smaller page if this one is larger. */
	UserQuery atMost(int size) {
		return new UserQuery(this.appName, this.behind, Math.min(this.limit, size));
	}

}
