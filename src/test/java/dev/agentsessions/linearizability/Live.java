package dev.agentsessions.linearizability;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The events of a history that no rewind has taken back. */
final class Live {

	private Live() {
	}

	/**
	 * Their tokens, oldest first. The newest rewind takes back events first.
	 * @param rewinds the token of the first event that each rewind takes back, by its id
	 */
	static List<String> of(Chain chain, Map<String, String> rewinds) {
		List<String> all = chain.after(0);
		List<String> live = new ArrayList<>();
		int place = all.size() - 1;
		while (place >= 0) {
			String target = rewinds.get(Events.id(all.get(place)));
			if (target == null) {
				live.add(0, all.get(place));
				place--;
			}
			else {
				int first = all.indexOf(target);
				place = ((first >= 0 && first < place) ? first : place) - 1;
			}
		}
		return live;
	}

	/** The calls that wait for an answer, oldest first. */
	static List<String> waiting(Chain chain, Map<String, String> rewinds) {
		Set<String> waiting = new LinkedHashSet<>();
		for (String token : of(chain, rewinds)) {
			String id = Events.id(token);
			if (Events.isCall(id)) {
				waiting.add(id);
			}
			else if (Events.isAnswer(id)) {
				waiting.remove(Events.callOf(id));
			}
		}
		return List.copyOf(waiting);
	}

}
