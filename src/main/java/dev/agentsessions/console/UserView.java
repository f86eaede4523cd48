package dev.agentsessions.console;

import dev.agentsessions.session.manage.UserSummary;

/**
 * A user in a list.
 *
 * @param id the user
 * @param sessions how many sessions they have, as far as they are counted
 * @param updated when the newest of them was updated
 * @param link their page
 */
record UserView(TruncatedText id, String sessions, String updated, String link) {

	static UserView of(String appName, UserSummary user, Links links) {
		return new UserView(TruncatedText.of(user.userId(), TruncatedText.SHORT),
				(user.moreSessions() ? "more than " : "") + user.sessions(), TimeFormat.of(user.lastUpdateTime()),
				links.user(appName, user.userId()));
	}

}
