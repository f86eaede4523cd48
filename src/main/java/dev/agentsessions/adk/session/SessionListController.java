package dev.agentsessions.adk.session;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.PageTokens;

/** Lists sessions as an array. The link to the next page is in a header. */
@RestController
class SessionListController {

	private static final String LIST = "adk sessions";

	private final SessionService sessions;

	private final PageTokens tokens;

	SessionListController(SessionService sessions, PageTokens tokens) {
		this.sessions = sessions;
		this.tokens = tokens;
	}

	@GetMapping("/apps/{appName}/users/{userId}/sessions")
	List<AdkSession> listSessions(@PathVariable String appName, @PathVariable String userId,
			SessionListParameters parameters, HttpServletResponse response) {
		return list(parameters, new StateOwner(appName, userId), response);
	}

	@GetMapping("/apps/{appName}/sessions")
	List<AdkSession> listAppSessions(@PathVariable String appName, SessionListParameters parameters,
			HttpServletResponse response) {
		return list(parameters, new StateOwner(appName, null), response);
	}

	private List<AdkSession> list(SessionListParameters parameters, StateOwner owner, HttpServletResponse response) {
		SessionQuery first = parameters.toQuery(owner);
		EventCondition condition = parameters.condition();
		String pageToken = parameters.pageToken();
		SessionQuery query = (pageToken == null) ? first
				: first.after(Position.of(this.tokens.position(pageToken, LIST, List.of(first, condition))));
		if (!condition.isEmpty()) {
			FoundSessions found = this.sessions.find(query, condition);
			addNext(found.next(), query, condition, response);
			return found.items()
				.stream()
				.map((item) -> AdkSession.from(item.session(), parameters.includeRevision(), null, item.seq()))
				.toList();
		}
		Page<Session> page = this.sessions.list(query);
		addNext(page.more() ? query.position(page.last()) : null, query, condition, response);
		return page.items().stream().map((session) -> AdkSession.from(session, parameters.includeRevision())).toList();
	}

	private void addNext(@Nullable Position position, SessionQuery query, EventCondition condition,
			HttpServletResponse response) {
		if (position != null) {
			String token = this.tokens.issue(LIST, List.of(query, condition), position.texts());
			String next = ServletUriComponentsBuilder.fromCurrentRequest()
				.replaceQueryParam("pageToken", token)
				.build()
				.toUriString();
			response.setHeader(ApiHeaders.NEXT_PAGE_TOKEN, token);
			response.setHeader(HttpHeaders.LINK, "<" + next + ">; rel=\"next\"");
		}
	}

	/**
	 * The query parameters of a list of sessions.
	 *
	 * @param order by last update time: {@code asc}, the default, or {@code desc}
	 * @param limit the maximum number of sessions of a page, at most and by default
	 * 10,000
	 * @param pageToken the token of the page, from the response with the previous page
	 * @param includeState {@code false} omits the state
	 * @param includeEval {@code true} also lists sessions that ADK's evaluation created
	 * @param includeRevision {@code true} adds the revision and the entity tag
	 * @param displayName only sessions with this display name
	 * @param label only sessions with this label, {@code key=value}; may be repeated
	 * @param waiting {@code true} lists only sessions that wait for an answer
	 * @param sessionId only sessions with this id, including those that ADK's evaluation
	 * created
	 * @param prefix only sessions whose id or display name begins with this
	 * @param from only sessions with an event that was stored at this time or later
	 * @param until only sessions with an event that was stored at this time or earlier
	 * @param error {@code true}: only sessions with an event that reports an error
	 * @param tool only sessions with an event that calls this tool or has its response
	 * @param author only sessions with an event of this author
	 */
	record SessionListParameters(@Nullable String order, @Nullable Integer limit, @Nullable String pageToken,
			@Nullable Boolean includeState, @Nullable Boolean includeEval, @Nullable Boolean includeRevision,
			@Nullable String displayName, String @Nullable [] label, @Nullable Boolean waiting,
			@Nullable String sessionId, @Nullable String prefix, @Nullable String from, @Nullable String until,
			@Nullable Boolean error, @Nullable String tool, @Nullable String author) {

		/** Returns the query of the sessions of a user, or of all users of an app. */
		SessionQuery toQuery(StateOwner owner) {
			boolean evaluations = Boolean.TRUE.equals(this.includeEval) || this.sessionId != null;
			Filter filter = new Filter(this.displayName, labels(), evaluations, Boolean.TRUE.equals(this.waiting),
					this.sessionId, this.prefix);
			return SessionQuery.of(owner, Order.USER, QueryParameters.isNewestFirst(this.order),
					QueryParameters.pageSize(this.limit), filter, !Boolean.FALSE.equals(this.includeState));
		}

		/** Returns the condition that one event of each session has to meet. */
		EventCondition condition() {
			return new EventCondition(QueryParameters.time("from", this.from),
					QueryParameters.lastTime("until", this.until), Boolean.TRUE.equals(this.error), this.tool,
					this.author);
		}

		private Map<String, String> labels() {
			Map<String, String> labels = new TreeMap<>();
			for (String wanted : (this.label != null) ? this.label : new String[0]) {
				Map.Entry<String, String> parsed = Filter.label("label", wanted);
				labels.put(parsed.getKey(), parsed.getValue());
			}
			return labels;
		}

	}

}
