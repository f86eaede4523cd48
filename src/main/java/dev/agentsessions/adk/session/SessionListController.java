package dev.agentsessions.adk.session;

import java.util.List;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.manage.FoundSessions;
import dev.agentsessions.session.manage.SessionQuery;
import dev.agentsessions.session.manage.SessionQuery.Position;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.PageTokens;

/** Lists sessions as an array. The link to the next page is in a header. */
@RestController
class SessionListController {

	private final SessionService sessions;

	private final PageTokens tokens;

	SessionListController(SessionService sessions, PageTokens tokens) {
		this.sessions = sessions;
		this.tokens = tokens;
	}

	@GetMapping("/apps/{appName}/users/{userId}/sessions")
	List<AdkSession> listSessions(@PathVariable String appName, @PathVariable String userId,
			SessionListParameters parameters, HttpServletResponse response) {
		return list(parameters, parameters.toQuery(new StateOwner(appName, userId), this.tokens), response);
	}

	@GetMapping("/apps/{appName}/sessions")
	List<AdkSession> listAppSessions(@PathVariable String appName, SessionListParameters parameters,
			HttpServletResponse response) {
		return list(parameters, parameters.toQuery(new StateOwner(appName, null), this.tokens), response);
	}

	private List<AdkSession> list(SessionListParameters parameters, SessionQuery query, HttpServletResponse response) {
		EventCondition condition = parameters.condition();
		if (!condition.isEmpty()) {
			FoundSessions found = this.sessions.find(query, condition);
			addNext(found.next(), query, condition, response);
			return found.items().stream().map((item) -> AdkSession.from(item, parameters.includeRevision())).toList();
		}
		Page<Session> page = this.sessions.list(query);
		addNext(page.more() ? query.position(page.last()) : null, query, condition, response);
		return page.items().stream().map((session) -> AdkSession.from(session, parameters.includeRevision())).toList();
	}

	private void addNext(@Nullable Position position, SessionQuery query, EventCondition condition,
			HttpServletResponse response) {
		if (position != null) {
			String token = SessionListParameters.tokenAfter(position, query, condition, this.tokens);
			String next = ServletUriComponentsBuilder.fromCurrentRequest()
				.replaceQueryParam("pageToken", token)
				.build()
				.toUriString();
			response.setHeader(ApiHeaders.NEXT_PAGE_TOKEN, token);
			response.setHeader(HttpHeaders.LINK, "<" + next + ">; rel=\"next\"");
		}
	}

}
