package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.state.Scopes;
import dev.agentsessions.postgres.state.StateByScope;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.SessionName;

/** The rows of {@link FindSessionStatement}, in any order. */
final class SessionRows extends EventRows {

	private static final int SESSION = 0;

	private static final int STATE = 1;

	private final SessionRead read;

	private final StateByScope state = new StateByScope();

	private @Nullable SessionEntity session;

	private boolean edited;

	SessionRows(SessionRead read) {
		this.read = read;
	}

	@Override
	public void processRow(ResultSet row) throws SQLException {
		switch (row.getInt("part")) {
			case SESSION -> addSession(row);
			case STATE -> addState(row);
			default -> addEvent(row);
		}
	}

	private void addSession(ResultSet row) throws SQLException {
		this.session = SessionEntity.fromFindSessionRow(this.read.name(), this.read.scopes(), row);
		this.edited = row.getBoolean("edited");
	}

	private void addState(ResultSet row) throws SQLException {
		String value = row.getString("value");
		count(row, value == null);
		if (value != null) {
			this.state.add(row.getObject("scope_key", UUID.class), row.getString("key"), new JsonText(value));
		}
	}

	/** Returns the session without deferred values; empty if there is no such session. */
	Optional<Found> found() {
		events().sort(Comparator.comparingLong(Event::seq));
		return Optional.ofNullable(this.session)
			.map((entity) -> new Found(entity, this.state.merged(entity.scopes()), events(), this.edited));
	}

	/**
	 * A session with the first of its events.
	 *
	 * @param session its row
	 * @param state the merged state
	 * @param events the first events of the window, oldest first
	 * @param edited whether it has events that rewind or compact; {@code false} if this
	 * was not read
	 */
	record Found(SessionEntity session, Map<String, JsonText> state, List<Event> events, boolean edited) {

		/** Whether {@code events} ends with the newest event, or is empty. */
		boolean hasAllEvents() {
			return this.events.isEmpty()
					|| this.events.get(this.events.size() - 1).seq() == this.session.version().revision();
		}

	}

	/**
	 * A read of {@link FindSessionStatement}.
	 *
	 * @param name the names of the session
	 * @param scopes the keys of the session and of the state that it shares
	 * @param window which events
	 */
	record SessionRead(SessionName name, Scopes scopes, EventWindow window) {

		SessionRead(SessionName name, UUID sessionKey, EventWindow window) {
			this(name, Scopes.of(name, sessionKey), window);
		}

		/**
		 * Returns the maximum number of events, the newest ones; {@code null} for all.
		 */
		@Nullable Long recent() {
			return (this.window.recent() != null) ? this.window.recent().longValue() : null;
		}

		/** Whether a context view is read. */
		boolean isOfContext() {
			return this.window.view() == HistoryView.CONTEXT;
		}

	}

}
