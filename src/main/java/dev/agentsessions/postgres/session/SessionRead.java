package dev.agentsessions.postgres.session;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.postgres.state.Scopes;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.SessionKey;

/**
 * A read of {@link FindSessionStatement}.
 *
 * @param names the names of the session
 * @param scopes the keys of the session and of the state that it shares
 * @param window which events
 */
record SessionRead(SessionKey names, Scopes scopes, EventWindow window) {

	SessionRead(SessionKey names, UUID sessionKey, EventWindow window) {
		this(names, Scopes.of(names, sessionKey), window);
	}

	/** Returns the maximum number of events, the newest ones; {@code null} for all. */
	@Nullable Long recent() {
		return (this.window.recent() != null) ? this.window.recent().longValue() : null;
	}

	/** Whether a context view is read. */
	boolean isOfContext() {
		return this.window.view() == HistoryView.CONTEXT;
	}

}
