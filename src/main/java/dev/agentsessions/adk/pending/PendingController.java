package dev.agentsessions.adk.pending;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.pending.PendingQuery;
import dev.agentsessions.session.pending.PendingService;
import dev.agentsessions.web.PageTokens;

/** Lists the function calls that wait for an answer. */
@RestController
class PendingController {

	private final PendingService pending;

	private final PageTokens tokens;

	PendingController(PendingService pending, PageTokens tokens) {
		this.pending = pending;
		this.tokens = tokens;
	}

	@GetMapping("/apps/{appName}/users/{userId}/sessions/{sessionId}/pending")
	PendingList listPending(SessionKey key, @RequestParam @Nullable Integer limit,
			@RequestParam @Nullable String pageToken) {
		return list(new PendingQuery(key.app(), key, null, QueryParameters.pageSize(limit)), pageToken);
	}

	@GetMapping("/apps/{appName}/pending")
	PendingList listAppPending(@PathVariable String appName, @RequestParam @Nullable Integer limit,
			@RequestParam @Nullable String pageToken) {
		return list(new PendingQuery(new StateOwner(appName, null), null, null, QueryParameters.pageSize(limit)),
				pageToken);
	}

	private PendingList list(PendingQuery query, @Nullable String pageToken) {
		PendingQuery page = (pageToken != null) ? PendingList.after(pageToken, query, this.tokens) : query;
		return PendingList.from(this.pending.list(page), query, this.tokens);
	}

}
