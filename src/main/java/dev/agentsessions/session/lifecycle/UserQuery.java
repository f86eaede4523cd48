package dev.agentsessions.session.lifecycle;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.StateOwner;

/**
 * Which users of an app to list.
 *
 * @param app the app
 * @param after the user after which the page begins, whether or not this user still
 * exists; {@code null} for the first page
 * @param limit the maximum number of users
 */
public record UserQuery(StateOwner app, @Page.Only @Nullable String after, @Page.Only int limit) {

	/** Maximum number of users of a page. */
	public static final int MAX_LIMIT = 1000;

	public UserQuery {
		limit = Math.min(limit, MAX_LIMIT);
	}

	/** Returns this query for the page after a user. */
	public UserQuery after(String userId) {
		return new UserQuery(this.app, userId, this.limit);
	}

	/** Returns this query, with a smaller limit if its limit is greater. */
	UserQuery atMost(int size) {
		return new UserQuery(this.app, this.after, Math.min(this.limit, size));
	}

}
