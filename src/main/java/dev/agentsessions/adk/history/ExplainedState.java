package dev.agentsessions.adk.history;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.history.PastSession;
import dev.agentsessions.session.history.StateSource;
import dev.agentsessions.state.StateScope;

/**
 * The state of a session, and the event that set each key.
 *
 * @param seq the seq of the event right after which the session had this state, 0 for the
 * beginning
 * @param lastUpdateTime when that event was stored, in decimal seconds
 * @param sharedStateCurrent {@code true} if shared keys have their current values,
 * whichever writer set them; {@code false} if they have the values that this session had
 * set by then
 * @param state the keys, shared ones with their prefix
 */
record ExplainedState(long seq, BigDecimal lastUpdateTime, boolean sharedStateCurrent, Map<String, Value> state) {

	static ExplainedState from(PastSession explained, boolean sharedStateCurrent) {
		Session session = explained.session();
		Map<String, Value> state = new LinkedHashMap<>();
		session.state().forEach((key, value) -> state.put(key, Value.of(key, value, explained.sources().get(key))));
		return new ExplainedState(session.revision(), Timestamps.toSeconds(session.lastUpdateTime()),
				sharedStateCurrent, state);
	}

	/**
	 * The value of a key.
	 *
	 * @param scope the scope of the key: {@code session}, {@code user} or {@code app}
	 * @param value the value
	 * @param event the event of this session that set the key; {@code null} if the key
	 * was set when the session was created, or by another writer
	 */
	record Value(String scope, JsonText value, @Nullable SettingEvent event) {

		static Value of(String key, JsonText value, @Nullable StateSource source) {
			return new Value(StateScope.of(key).name().toLowerCase(Locale.ROOT), value,
					(source != null) ? SettingEvent.of(source) : null);
		}

	}

	/**
	 * The event that set a key.
	 *
	 * @param seq its seq
	 * @param eventId its id
	 * @param author its author
	 * @param timestamp the time that the sender gave it, in decimal seconds
	 */
	record SettingEvent(long seq, String eventId, String author, BigDecimal timestamp) {

		static SettingEvent of(StateSource source) {
			return new SettingEvent(source.seq(), source.eventId(), source.author(),
					Timestamps.toSeconds(source.time()));
		}

	}

}
