package dev.agentsessions.console;

import dev.agentsessions.session.UserSummary;

/**
 * A user in a list.
 *
 * @param id the user
 * @param sessions how many sessions they have, as far as they are counted
 * @param updated when the newest of them was updated
 * @param link their page
 */
record UserView(Clip id, String sessions, String updated, String link) {

	static UserView of(String appName, UserSummary user, Links links) {
		return new UserView(Clip.of(user.userId(), Clip.SHORT),
				(user.moreSessions() ? "more than " : "") + user.sessions(), Times.of(user.lastUpdateTime()),
				links.user(appName, user.userId()));
	}

}
