package dev.agentsessions.console.search;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.search.Hit;
import dev.agentsessions.search.Turn;

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
record HitView(String id, TurnLine turn, String score, List<SnippetPiece> pieces, String words, List<TurnLine> before,
		List<TurnLine> after) {

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
					(event != null)
							? scope.links().session(scope.key(event.sessionId()), event.seq()) + "#event-" + event.seq()
							: "");
		}

	}

}
