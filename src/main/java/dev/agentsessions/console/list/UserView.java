package dev.agentsessions.console.list;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.manage.UserSummary;

/**
 * A user in a list.
 *
 * @param id the id of the user
 * @param sessions the number of sessions, or "more than" the limit of the count
 * @param updated the last update time of any of the sessions
 * @param link the page of the user
 */
record UserView(TruncatedText id, String sessions, String updated, String link) {

	static UserView of(String appName, UserSummary user, Links links) {
		return new UserView(TruncatedText.of(user.userId(), TruncatedText.MAX_LINE_CHARS),
				(user.moreSessions() ? "more than " : "") + user.sessions(), TimeFormat.of(user.lastUpdateTime()),
				links.user(appName, user.userId()));
	}

}
