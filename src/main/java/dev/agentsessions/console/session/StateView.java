package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.lifecycle.PastSession;
import dev.agentsessions.session.lifecycle.StateSource;
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
	static StateView of(Session session, ReadingMode mode) {
		return of(session, (key, value) -> StateKeyView.of(key, value, mode), false);
	}

	/**
	 * Returns the state with the events that set the keys.
	 * @param link the address of the session
	 */
	static StateView of(PastSession past, String link, ReadingMode mode) {
		return of(past.session(), (key, value) -> {
			StateKeyView view = StateKeyView.of(key, value, mode);
			StateSource source = past.sources().get(key);
			return (source != null) ? view.by(source, link, past.session().revision(), mode) : view;
		}, true);
	}

	private static StateView of(Session session, BiFunction<String, JsonText, StateKeyView> view, boolean explained) {
		Map<String, List<StateKeyView>> keys = new LinkedHashMap<>();
		session.state()
			.keySet()
			.stream()
			.sorted(Comparator.comparing(StateScope::of).reversed().thenComparing(Comparator.naturalOrder()))
			.limit(MAX_KEYS)
			.map((key) -> view.apply(key, session.state().getOrDefault(key, JsonText.NULL)))
			.forEach((key) -> keys.computeIfAbsent(key.scope(), (scope) -> new ArrayList<>()).add(key));
		return new StateView(keys, Math.max(0, session.state().size() - MAX_KEYS), explained);
	}

}
