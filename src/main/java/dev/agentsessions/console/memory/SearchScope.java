package dev.agentsessions.console.memory;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;

/**
 * The scope of a search page: all sessions of a user with the facts, or one session.
 *
 * @param user the user
 * @param sessionId the session; {@code null} for all
 * @param links makes the addresses of pages
 */
record SearchScope(StateOwner user, @Nullable String sessionId, Links links) {

	SessionName named(String sessionId) {
		return new SessionName(this.user, sessionId);
	}

	String userId() {
		return String.valueOf(this.user.userId());
	}

	String link() {
		return ((this.sessionId != null) ? this.links.session(named(this.sessionId))
				: this.links.user(this.user.appName(), userId())) + "/search";
	}

	/** Returns the page with the hits of a query. */
	String page(String q) {
		return link() + "?q=" + Links.encode(q);
	}

}
