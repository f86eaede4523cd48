package dev.agentsessions.console.search;

import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;

/**
 * What a page searches: all sessions of a user and the facts, or one session.
 *
 * @param user the user
 * @param sessionId the session; {@code null} for all
 * @param links makes the addresses of pages
 */
record SearchScope(StateOwner user, @Nullable String sessionId, Links links) {

	SessionKey key(String sessionId) {
		return new SessionKey(this.user.appName(), userId(), sessionId);
	}

	String userId() {
		return String.valueOf(this.user.userId());
	}

	private String userLink() {
		return this.links.user(this.user.appName(), userId());
	}

	String link() {
		return ((this.sessionId != null) ? this.links.session(key(this.sessionId)) : userLink()) + "/search";
	}

	/** Returns the page with the hits of a query. */
	String page(String q) {
		return link() + "?q=" + Links.encode(q);
	}

	/** Adds the names and links of the breadcrumbs, and the address of the form. */
	void addNames(Model model) {
		model.addAttribute("app", TruncatedText.of(this.user.appName(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("appLink", this.links.app(this.user.appName()));
		model.addAttribute("user", TruncatedText.of(userId(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("userLink", userLink());
		model.addAttribute("searchLink", link());
		if (this.sessionId != null) {
			model.addAttribute("sessionName", TruncatedText.of(this.sessionId, TruncatedText.MAX_LINE_CHARS));
			model.addAttribute("link", this.links.session(key(this.sessionId)));
		}
	}

}
