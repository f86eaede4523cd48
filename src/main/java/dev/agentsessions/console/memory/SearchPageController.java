package dev.agentsessions.console.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.util.HtmlUtils;

import dev.agentsessions.console.memory.AppSearcher.AppSearchStep.SearchProgress;
import dev.agentsessions.console.memory.SearchPageController.SearchScope;
import dev.agentsessions.console.view.ErrorStatus;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.SearchService.SearchResult;
import dev.agentsessions.search.SearchService.SearchResult.Hit;
import dev.agentsessions.search.Turn;
import dev.agentsessions.search.text.SnippetMaker.Snippet;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.ErrorResponder;
import dev.agentsessions.web.PageTokens;

/**
 * Serves the page that searches the sessions of a user, or one of them, and makes hits
 * unfindable.
 */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}")
class SearchPageController {

	private static final String LIST = "console search";

	private static final int PAGE_SIZE = 20;

	private final SearchService search;

	private final FactService facts;

	private final PageTokens tokens;

	private final ErrorResponder errors;

	SearchPageController(SearchService search, FactService facts, PageTokens tokens, ErrorResponder errors) {
		this.search = search;
		this.facts = facts;
		this.tokens = tokens;
		this.errors = errors;
	}

	/** Serves the hits, or the form again with the error in the query. */
	@GetMapping({ "/search", "/sessions/{sessionId}/search" })
	ModelAndView search(@PathVariable String appName, @PathVariable String userId,
			@PathVariable @Nullable String sessionId, @RequestParam(defaultValue = "") String q,
			@RequestParam @Nullable String page, @RequestParam(defaultValue = "0") long left,
			HttpServletRequest request, Model model) {
		SearchScope scope = new SearchScope(new StateOwner(appName, userId), sessionId, Links.of(request));
		this.search.checkMaySearch(scope.user());
		model.addAttribute("searchLink", scope.link());
		model.addAttribute("q", q);
		model.addAttribute("curl", scope.links().curl(request, apiPath(scope, q)));
		model.addAttribute("everywhere", new SearchScope(scope.user(), null, scope.links()).page(q));
		return StringUtils.hasText(q) ? find(scope, q, page, left, model) : new ModelAndView("console/search");
	}

	/** Makes a hit unfindable: it forgets an event, and deletes a fact. */
	@PostMapping({ "/search/forget", "/sessions/{sessionId}/search/forget" })
	ResponseEntity<Void> forget(@PathVariable String appName, @PathVariable String userId,
			@PathVariable @Nullable String sessionId, @RequestParam String id,
			@RequestParam(defaultValue = "") String q, HttpServletRequest request) {
		SearchScope scope = new SearchScope(new StateOwner(appName, userId), sessionId, Links.of(request));
		this.facts.delete(MemoryScope.of(scope.user()), id);
		return Links.seeOther(scope.page(q));
	}

	/** Returns the path of the request that searches the same over the API. */
	private static String apiPath(SearchScope scope, String q) {
		String path = Links.api(scope.user().appName(), scope.userId()) + "/events:search?q=" + Links.encode(q)
				+ "&limit=" + PAGE_SIZE + "&around=1";
		String sessionId = scope.sessionId();
		return path + ((sessionId != null) ? "&sessionId=" + Links.encode(sessionId) : "&facts=true");
	}

	private ModelAndView find(SearchScope scope, String q, @Nullable String page, long left, Model model) {
		try {
			SearchQuery query = query(scope, q, page);
			SearchResult result = this.search.search(query);
			model.addAttribute("groups", SessionHits.of(result.hits(), scope));
			String here = scope.page(q) + (StringUtils.hasText(page) ? "&page=" + Links.encode(page) : "");
			model.addAttribute("progress", SearchProgress.of(result, left, here));
			model.addAttribute("next", result.more() ? scope.page(q) + "&page="
					+ this.tokens.issue(LIST, List.of(query), Integer.toString(query.offset() + result.ranked()))
					: null);
			return new ModelAndView("console/search");
		}
		catch (SessionException.InvalidArgument ex) {
			return ErrorStatus.again("console/search", ex, model);
		}
		catch (SessionException.Unavailable ex) {
			this.errors.log(ex);
			model.addAttribute("error", ex.getMessage());
			return new ModelAndView("console/search", HttpStatus.SERVICE_UNAVAILABLE);
		}
	}

	private SearchQuery query(SearchScope scope, String q, @Nullable String page) {
		String sessionId = scope.sessionId();
		Filter filter = new Filter((sessionId != null) ? List.of(sessionId) : List.of(), null, null, null, null,
				sessionId == null);
		SearchQuery first = new SearchQuery(MemoryScope.of(scope.user()), q, true, filter, 0, PAGE_SIZE, 0, 1);
		return StringUtils.hasText(page)
				? first.after(Integer.parseInt(this.tokens.position(page, LIST, List.of(first)).get(0))) : first;
	}

	/**
	 * The scope of a search page: all sessions of a user with the facts, or one session.
	 *
	 * @param user the user
	 * @param sessionId the session; {@code null} for all
	 * @param links makes the addresses of pages
	 */
	record SearchScope(StateOwner user, @Nullable String sessionId, Links links) {

		SessionName named(String sessionId) {
			return new SessionName(this.user, sessionId);
		}

		String userId() {
			return String.valueOf(this.user.userId());
		}

		String link() {
			return ((this.sessionId != null) ? this.links.session(named(this.sessionId)) : this.links.owner(this.user))
					+ "/search";
		}

		/** Returns the page with the hits of a query. */
		String page(String q) {
			return link() + "?q=" + Links.encode(q);
		}

	}

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
			return sessionId.equals(FACTS) ? new SessionHits(null, "", hits) : new SessionHits(
					TruncatedText.line(sessionId), scope.links().session(scope.named(sessionId)), hits);
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
					String link = (event != null)
							? scope.links().eventInSession(scope.named(event.sessionId()), event.seq()) : "";
					return new TurnLine(TruncatedText.line(turn.author()), TimeFormat.of(turn.time()),
							TruncatedText.line(turn.said().text()), (event != null) ? event.seq() : 0, link);
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
			 * Takes a snippet apart. Its text is escaped, so the tags in it are only
			 * those around words.
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

}
