package dev.agentsessions.postgres.lifecycle;

import java.util.List;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.lifecycle.UserQuery;
import dev.agentsessions.session.lifecycle.UserQuery.UserSummary;

/** Lists the apps, and the users of an app. */
public interface AppsAndUsers {

	/** Returns the names of all apps, sorted by name. */
	List<String> appNames();

	/** Returns a page of the users of an app, in the order of their keys. */
	Page<UserSummary> users(UserQuery query);

	/**
	 * A user, and the sessions counted before.
	 *
	 * @param summary the summary in the response
	 * @param countedBefore the number of sessions counted of the users before
	 */
	record CountedUser(UserSummary summary, long countedBefore) {

		/** A page ends early when it has counted this number of sessions. */
		public static final int MAX_PAGE_SESSIONS = 50_000;

		/**
		 * Sessions to count of a user: one more than the response shows, to know whether
		 * there are more.
		 */
		public static final int MAX_SESSIONS = UserSummary.MAX_COUNTED_SESSIONS + 1;

		/**
		 * Returns the page without users that were read only to know whether more follow.
		 */
		public static Page<UserSummary> page(List<CountedUser> users, UserQuery query) {
			List<UserSummary> shown = users.stream()
				.limit(query.limit())
				.takeWhile((user) -> user.countedBefore() < MAX_PAGE_SESSIONS)
				.map(CountedUser::summary)
				.toList();
			return new Page<>(shown, shown.size() < users.size());
		}

	}

}
