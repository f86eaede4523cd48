package dev.agentsessions.console.view;

import org.springframework.ui.Model;

import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;

/** Adds to a model what the head of a page about a session shows. */
public final class SessionHeader {

	private SessionHeader() {
	}

	/** Adds the session, and its names. */
	public static void add(Session session, Links links, Model model) {
		model.addAttribute("about", SessionView.of(session, links));
		addNames(session.key(), links, model);
	}

	/** Adds the names and links of the breadcrumbs. */
	public static void addNames(SessionKey key, Links links, Model model) {
		model.addAttribute("app", TruncatedText.of(key.appName(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("appLink", links.app(key.appName()));
		model.addAttribute("user", TruncatedText.of(key.userId(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("userLink", links.user(key.appName(), key.userId()));
		model.addAttribute("id", TruncatedText.of(key.sessionId(), TruncatedText.MAX_LINE_CHARS));
		model.addAttribute("link", links.session(key));
	}

}
