package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.history.PastSession;
import dev.agentsessions.session.history.StateSource;
import dev.agentsessions.state.StateScope;

/**
 * The state of a session at a moment.
 *
 * @param keys its keys by scope, the session's own first
 * @param omittedKeys the number of keys not shown
 * @param explained whether the keys name the events that set them
 */
record StateView(Map<String, List<StateKeyView>> keys, int omittedKeys, boolean explained) {

	private static final int MAX_KEYS = 500;

	/** Returns the current state, without the events that set the keys. */
	static StateView of(Session session, String link) {
		return of(session, Map.of(), link, false);
	}

	/** Returns the state with the events that set the keys. */
	static StateView of(PastSession past, String link) {
		return of(past.session(), past.sources(), link, true);
	}

	private static StateView of(Session session, Map<String, StateSource> sources, String link, boolean explained) {
		Map<String, List<StateKeyView>> keys = new LinkedHashMap<>();
		session.state()
			.keySet()
			.stream()
			.sorted(Comparator.comparing(StateScope::of).reversed().thenComparing(Comparator.naturalOrder()))
			.limit(MAX_KEYS)
			.map((key) -> StateKeyView.of(key, session.state().getOrDefault(key, JsonText.NULL), sources.get(key),
					link))
			.forEach((key) -> keys.computeIfAbsent(key.scope(), (scope) -> new ArrayList<>()).add(key));
		return new StateView(keys, Math.max(0, session.state().size() - MAX_KEYS), explained);
	}

}
