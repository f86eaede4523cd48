package dev.agentsessions.adk.memory;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.SearchService.SearchResult;
import dev.agentsessions.search.Turn;
import dev.agentsessions.search.text.SnippetMaker.Snippet;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.PageTokens;

/** Searches the texts of the sessions of a user. */
@RestController
class SearchController {

	private static final String LIST = "adk search";

	private final SearchService search;

	private final PageTokens tokens;

	SearchController(SearchService search, PageTokens tokens) {
		this.search = search;
		this.tokens = tokens;
	}

	@GetMapping("/apps/{appName}/users/{userId}/events:search")
	SearchResponse searchEvents(@PathVariable String appName, @PathVariable String userId,
			SearchParameters parameters) {
		return search(parameters, new StateOwner(appName, userId));
	}

	@PostMapping("/apps/{appName}/users/{userId}/events:search")
	SearchResponse searchEventsByBody(@PathVariable String appName, @PathVariable String userId,
			@RequestBody JsonObject body) {
		return search(SearchParameters.of(body), new StateOwner(appName, userId));
	}

	private SearchResponse search(SearchParameters parameters, StateOwner user) {
		SearchQuery first = parameters.toQuery(user);
		String pageToken = parameters.pageToken();
		SearchQuery query = (pageToken != null)
				? first.after(Integer.parseInt(this.tokens.position(pageToken, LIST, List.of(first)).get(0))) : first;
		SearchResult result = this.search.search(query);
		String next = Integer.toString(query.offset() + result.ranked());
		return SearchResponse.from(result, query.around() > 0,
				result.more() ? this.tokens.issue(LIST, List.of(query), next) : null);
	}

	/**
	 * A page of hits.
	 *
	 * @param hits the hits, the best first
	 * @param nextPageToken the token of the next page; absent on the last page
	 * @param complete whether all events are indexed
	 * @param missing the number of events that are not indexed yet; absent if there are
	 * none
	 * @param semantic whether the meaning of the query counts; absent without an
	 * embedding model
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record SearchResponse(List<Hit> hits, @Nullable String nextPageToken, boolean complete, @Nullable Long missing,
			@Nullable Boolean semantic) {

		static SearchResponse from(SearchResult result, boolean around, @Nullable String nextPageToken) {
			boolean complete = result.missing() == 0;
			return new SearchResponse(result.hits().stream().map((hit) -> Hit.from(hit, around)).toList(),
					nextPageToken, complete, complete ? null : result.missing(), result.semantic());
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

			private static Hit from(SearchResult.Hit hit, boolean around) {
				Turn turn = hit.found().turn();
				Turn.Origin event = turn.origin();
				return new Hit(turn.id(), (event != null) ? "event" : "fact",
						(event != null) ? event.sessionId() : null, (event != null) ? event.seq() : null,
						(event != null) ? event.eventId() : null, turn.author(), turn.timestamp(),
						BigDecimal.valueOf(hit.found().score()).setScale(DIGITS, RoundingMode.HALF_UP),
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

	/**
	 * The parameters of a search, in the query or in the body of a request.
	 *
	 * @param q the query
	 * @param mode {@code query}, the default: with operators, or {@code text}: without
	 * @param sessionId only these sessions
	 * @param exceptSessionId not this session
	 * @param author only events of this author
	 * @param from only events at this time or later
	 * @param until only events at this time or earlier
	 * @param minScore only hits with this score or a higher one
	 * @param limit the maximum number of hits of a page, 10 by default
	 * @param pageToken the token of the page, from the response with the previous page
	 * @param around the number of turns before and after each hit
	 * @param facts whether facts are searched as well
	 */
	record SearchParameters(@Nullable String q, @Nullable String mode, String @Nullable [] sessionId,
			@Nullable String exceptSessionId, @Nullable String author, @Nullable String from, @Nullable String until,
			@Nullable String minScore, @Nullable Integer limit, @Nullable String pageToken, @Nullable Integer around,
			@Nullable Boolean facts) {

		private static final int DEFAULT_LIMIT = 10;

		static SearchParameters of(JsonObject body) {
			JsonObject fields = KnownFields.SEARCH.read(body, "");
			return new SearchParameters(fields.string("q"), fields.string("mode"), sessionIds(fields),
					fields.string("exceptSessionId"), fields.string("author"), text(fields, "from"),
					text(fields, "until"), text(fields, "minScore"), fields.count("limit"), fields.string("pageToken"),
					fields.count("around"), fields.flag("facts"));
		}

		/** Returns the query of the first page. */
		SearchQuery toQuery(StateOwner user) {
			if (this.q == null) {
				throw new SessionException.InvalidArgument("q", "is required");
			}
			Filter filter = new Filter((this.sessionId != null) ? List.of(this.sessionId) : List.of(),
					this.exceptSessionId, this.author, QueryParameters.time("from", this.from),
					QueryParameters.lastTime("until", this.until), Boolean.TRUE.equals(this.facts));
			boolean operators = !QueryParameters.isSecond("mode", this.mode, "query", "text");
			return new SearchQuery(MemoryScope.of(user), this.q, operators, filter, score(),
					(this.limit != null) ? this.limit : DEFAULT_LIMIT, 0, (this.around != null) ? this.around : 0);
		}

		private double score() {
			try {
				return (this.minScore != null) ? Double.parseDouble(this.minScore) : 0;
			}
			catch (NumberFormatException ex) {
				throw new SessionException.InvalidArgument("minScore", "must be a number");
			}
		}

		private static String @Nullable [] sessionIds(JsonObject fields) {
			JsonText value = fields.get(KnownFields.SESSION_ID);
			if (value == null) {
				return null;
			}
			return value.isArray() ? value.strings(KnownFields.SESSION_ID).toArray(String[]::new)
					: new String[] { value.string(KnownFields.SESSION_ID) };
		}

		private static @Nullable String text(JsonObject fields, String name) {
			JsonText value = fields.get(name);
			return (value != null) ? value.stringOrText() : null;
		}

	}

}
