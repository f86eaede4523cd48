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
 * The state of a session, and where each key has its value from.
 *
 * @param seq the event right after which it was so, 0 for the beginning
 * @param lastUpdateTime when that event was stored, in decimal seconds
 * @param sharedStateCurrent whether shared keys have their values of today, whoever has
 * set them; if not, they are those that this session had set by then
 * @param state the keys, shared ones under their prefix
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
	 * A key.
	 *
	 * @param scope whose it is: {@code session}, {@code user} or {@code app}
	 * @param value its value
	 * @param event the event of this session that set it; {@code null} if it was there
	 * when the session was created, or somebody else has set it
	 */
	record Value(String scope, JsonText value, @Nullable SettingEvent event) {

		static Value of(String key, JsonText value, @Nullable StateSource source) {
			return new Value(StateScope.of(key).name().toLowerCase(Locale.ROOT), value,
					(source != null) ? SettingEvent.of(source) : null);
		}

	}

	/**
	 * An event that has set a key.
	 *
	 * @param seq its place in the history
	 * @param eventId its id
	 * @param author who sent it
	 * @param timestamp the time the sender gave it, in decimal seconds
	 */
	record SettingEvent(long seq, String eventId, String author, BigDecimal timestamp) {

		static SettingEvent of(StateSource source) {
			return new SettingEvent(source.seq(), source.eventId(), source.author(),
					Timestamps.toSeconds(source.time()));
		}

	}

}
