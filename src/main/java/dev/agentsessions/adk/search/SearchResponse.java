package dev.agentsessions.adk.search;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchResult;
import dev.agentsessions.search.Turn;
import dev.agentsessions.search.text.Snippet;
import dev.agentsessions.web.PageTokens;

/**
 * A page of hits.
 *
 * @param hits the hits, the best first
 * @param nextPageToken the token of the next page; absent on the last page
 * @param complete whether all events are indexed
 * @param missing the number of events that are not indexed yet; absent if there are none
 * @param semantic whether the meaning of the query counts; absent without an embedding
 * model
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SearchResponse(List<Hit> hits, @Nullable String nextPageToken, boolean complete, @Nullable Long missing,
		@Nullable Boolean semantic) {

	static SearchResponse from(SearchResult result, SearchQuery query, PageTokens tokens) {
		boolean complete = result.missing() == 0;
		return new SearchResponse(result.hits().stream().map((hit) -> Hit.from(hit, query.around() > 0)).toList(),
				result.more() ? SearchParameters.tokenAfter(query.offset() + result.ranked(), query, tokens) : null,
				complete, complete ? null : result.missing(), result.semantic());
	}

	/**
	 * An event or a fact that matches.
	 *
	 * @param id names it among all events and facts of the user
	 * @param kind {@code event} or {@code fact}
	 * @param sessionId the session of the event
	 * @param seq the seq of the event in the session
	 * @param eventId the id of the event
	 * @param author who said it
	 * @param timestamp the time that its sender gave it, in seconds
	 * @param score how much of the query it says, 0 to 1
	 * @param content its texts
	 * @param snippet the part with the words, as HTML
	 * @param metadata the metadata of a fact that has some
	 * @param marks where the words are in the texts joined by line feeds
	 * @param before turns before it; absent unless the request has {@code around}
	 * @param after turns after it; absent unless the request has {@code around}
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Hit(String id, String kind, @Nullable String sessionId, @Nullable Long seq, @Nullable String eventId,
			String author, JsonText timestamp, BigDecimal score, Content content, @Nullable JsonText metadata,
			String snippet, List<Snippet.Mark> marks, @Nullable List<Neighbour> before,
			@Nullable List<Neighbour> after) {

		private static final int DIGITS = 4;

		private static Hit from(dev.agentsessions.search.Hit hit, boolean around) {
			Turn turn = hit.found().turn();
			Turn.Origin event = turn.origin();
			return new Hit(turn.id(), (event != null) ? "event" : "fact", (event != null) ? event.sessionId() : null,
					(event != null) ? event.seq() : null, (event != null) ? event.eventId() : null, turn.author(),
					turn.timestamp(), BigDecimal.valueOf(hit.found().score()).setScale(DIGITS, RoundingMode.HALF_UP),
					Content.from(turn), turn.metadata(), hit.snippet().html(), hit.snippet().marks(),
					around ? hit.found().before().stream().map(Neighbour::from).toList() : null,
					around ? hit.found().after().stream().map(Neighbour::from).toList() : null);
		}

	}

	/**
	 * A turn near a hit.
	 *
	 * @param seq its seq in the session
	 * @param eventId its id
	 * @param author who said it
	 * @param timestamp the time that its sender gave it, in seconds
	 * @param content its texts
	 */
	record Neighbour(long seq, String eventId, String author, JsonText timestamp, Content content) {

		private static Neighbour from(Turn turn) {
			Turn.Origin event = Objects.requireNonNull(turn.origin());
			return new Neighbour(event.seq(), event.eventId(), turn.author(), turn.timestamp(), Content.from(turn));
		}

	}

	/**
	 * The texts of an event.
	 *
	 * @param role the role of its content; absent if it has none
	 * @param parts the texts
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Content(@Nullable String role, List<Part> parts) {

		private static Content from(Turn turn) {
			return new Content(turn.said().role(), turn.said().parts().stream().map(Part::new).toList());
		}

	}

	/**
	 * A text.
	 *
	 * @param text the text
	 */
	record Part(String text) {

	}

}
