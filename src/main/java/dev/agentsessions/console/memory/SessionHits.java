package dev.agentsessions.console.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.web.util.HtmlUtils;

import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.search.SearchResult.Hit;
import dev.agentsessions.search.Turn;
import dev.agentsessions.search.text.SnippetMaker.Snippet;

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
						scope.links().session(scope.named(sessionId)), hits);
	}

	private static String sessionId(Turn turn) {
		Turn.Origin event = turn.origin();
		return (event != null) ? event.sessionId() : FACTS;
	}

	/**
	 * A hit of a search.
	 *
	 * @param id names it among all events and facts of the user
	 * @param turn who said it and when, and the beginning of its text
	 * @param score how much of the query it says, 0 to 1
	 * @param pieces the part of the text that has the words of the query
	 * @param words the words that matched; blank if none is marked
	 * @param before the turns before it
	 * @param after the turns after it
	 */
	record HitView(String id, TurnLine turn, String score, List<SnippetPiece> pieces, String words,
			List<TurnLine> before, List<TurnLine> after) {

		static HitView of(Hit hit, SearchScope scope) {
			List<SnippetPiece> pieces = SnippetPiece.of(hit.snippet());
			return new HitView(hit.found().turn().id(), TurnLine.of(hit.found().turn(), scope),
					String.format(Locale.ROOT, "%.2f", hit.found().score()), pieces, words(pieces),
					hit.found().before().stream().map((turn) -> TurnLine.of(turn, scope)).toList(),
					hit.found().after().stream().map((turn) -> TurnLine.of(turn, scope)).toList());
		}

		private static String words(List<SnippetPiece> pieces) {
			return pieces.stream()
				.filter(SnippetPiece::marked)
				.map((piece) -> piece.text().toLowerCase(Locale.ROOT))
				.distinct()
				.collect(Collectors.joining(", "));
		}

		/**
		 * A turn in one line.
		 *
		 * @param author who said it
		 * @param time the time that its sender gave it
		 * @param text the beginning of the text
		 * @param seq the seq of its event; 0 for a fact
		 * @param link the page of the session right after its event; blank for a fact
		 */
		record TurnLine(TruncatedText author, String time, TruncatedText text, long seq, String link) {

			private static TurnLine of(Turn turn, SearchScope scope) {
				Turn.Origin event = turn.origin();
				return new TurnLine(TruncatedText.of(turn.author(), TruncatedText.MAX_LINE_CHARS),
						TimeFormat.of(turn.time()), TruncatedText.of(turn.said().text(), TruncatedText.MAX_LINE_CHARS),
						(event != null) ? event.seq() : 0,
						(event != null) ? scope.links().session(scope.named(event.sessionId()), event.seq()) + "#event-"
								+ event.seq() : "");
			}

		}

	}

	/**
	 * A piece of a snippet. A page prints pieces as text, so no text becomes HTML.
	 *
	 * @param text the text
	 * @param marked whether it is a word of the query
	 */
	record SnippetPiece(String text, boolean marked) {

		private static final String BEGIN = "<em>";

		private static final String END = "</em>";

		/**
		 * Takes a snippet apart. Its text is escaped, so the tags in it are only those
		 * around words.
		 */
		static List<SnippetPiece> of(Snippet snippet) {
			List<SnippetPiece> pieces = new ArrayList<>();
			for (String word : snippet.html().split(BEGIN, -1)) {
				int end = word.indexOf(END);
				if (end >= 0) {
					add(pieces, word.substring(0, end), true);
				}
				add(pieces, (end >= 0) ? word.substring(end + END.length()) : word, false);
			}
			return pieces;
		}

		private static void add(List<SnippetPiece> pieces, String html, boolean marked) {
			if (!html.isEmpty()) {
				pieces.add(new SnippetPiece(TruncatedText.printable(HtmlUtils.htmlUnescape(html)), marked));
			}
		}

	}

}
