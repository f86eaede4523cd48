package dev.agentsessions.console;

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
 * @param left how many keys are not shown
 * @param explained whether it is known which event set which key
 */
record StateView(Map<String, List<StateKeyView>> keys, int left, boolean explained) {

	/** So many keys are shown. */
	private static final int MOST = 500;

	/** The state as it is, and nothing of where it came from. */
	static StateView of(Session session, String link) {
		return of(session, Map.of(), link, false);
	}

	/** The state, and which event set each key. */
	static StateView of(PastSession past, String link) {
		return of(past.session(), past.sources(), link, true);
	}

	private static StateView of(Session session, Map<String, StateSource> sources, String link, boolean explained) {
		Map<String, List<StateKeyView>> keys = new LinkedHashMap<>();
		session.state()
			.keySet()
			.stream()
			.sorted(Comparator.comparing(StateScope::of).reversed().thenComparing(Comparator.naturalOrder()))
			.limit(MOST)
			.map((key) -> StateKeyView.of(key, session.state().getOrDefault(key, JsonText.NULL), sources.get(key),
					link))
			.forEach((key) -> keys.computeIfAbsent(key.scope(), (scope) -> new ArrayList<>()).add(key));
		return new StateView(keys, Math.max(0, session.state().size() - MOST), explained);
	}

}
