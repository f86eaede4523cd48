package dev.agentsessions.console.search;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.search.Hit;
import dev.agentsessions.search.Turn;

/**
 * The hits of one session, or the facts among the hits.
 *
 * @param session the id of the session; {@code null} for facts
 * @param link the page of the session; blank for facts
 * @param hits the hits, the best first
 */
record SessionHits(@Nullable TruncatedText session, String link, List<HitView> hits) {

	private static final String FACTS = "";

	/** Groups hits; the group with the best hit is the first one. */
	static List<SessionHits> of(List<Hit> hits, SearchScope scope) {
		Map<String, List<HitView>> bySession = new LinkedHashMap<>();
		for (Hit hit : hits) {
			bySession.computeIfAbsent(sessionId(hit.found().turn()), (session) -> new ArrayList<>())
				.add(HitView.of(hit, scope));
		}
		return bySession.entrySet().stream().map((group) -> of(group.getKey(), group.getValue(), scope)).toList();
	}

	private static SessionHits of(String sessionId, List<HitView> hits, SearchScope scope) {
		return sessionId.equals(FACTS) ? new SessionHits(null, "", hits)
				: new SessionHits(TruncatedText.of(sessionId, TruncatedText.MAX_LINE_CHARS),
						scope.links().session(scope.key(sessionId)), hits);
	}

	private static String sessionId(Turn turn) {
		Turn.Origin event = turn.origin();
		return (event != null) ? event.sessionId() : FACTS;
	}

}
