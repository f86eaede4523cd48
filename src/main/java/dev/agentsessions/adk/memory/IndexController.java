package dev.agentsessions.adk.memory;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.SearchService.Store.IndexProgress;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.web.PageTokens;

/**
 * Brings the index of the search up to date before a search does. Neither request is
 * needed for a search to find an event; they make the next search faster.
 */
@RestController
class IndexController {

	private static final String LIST = "adk reindex";

	private final SearchService search;

	private final PageTokens tokens;

	IndexController(SearchService search, PageTokens tokens) {
		this.search = search;
		this.tokens = tokens;
	}

	/**
	 * Adds a session to memory, as ADK's own server does: it answers {@code null}
	 * (Source: {@code api_server.py} of ADK Python 2.13).
	 */
	@PatchMapping("/apps/{appName}/users/{userId}/memory")
	JsonText addSessionToMemory(@PathVariable String appName, @PathVariable String userId,
			@RequestBody JsonObject body) {
		String sessionId = KnownFields.MEMORY.read(body, "").string(KnownFields.SESSION_ID);
		if (sessionId == null) {
			throw new SessionException.InvalidArgument(KnownFields.SESSION_ID, "is required");
		}
		this.search.index(new SessionName(appName, userId, sessionId));
		return JsonText.NULL;
	}

	@PostMapping("/apps/{appName}:reindex")
	Progress reindexApp(@PathVariable String appName, @RequestParam @Nullable String pageToken) {
		List<StateOwner> app = List.of(new StateOwner(appName, null));
		String after = (pageToken != null) ? this.tokens.position(pageToken, LIST, app).get(0) : "";
		IndexProgress progress = this.search.index(appName, after.isEmpty() ? null : after);
		String last = (progress.lastUser() != null) ? progress.lastUser() : "";
		return new Progress(progress.users(), progress.events(),
				progress.more() ? this.tokens.issue(LIST, app, last) : null);
	}

	/**
	 * The number of events that a request has indexed.
	 *
	 * @param users the number of users that are done
	 * @param events the number of events that were indexed
	 * @param nextPageToken the token of the request that continues; absent if all users
	 * are done
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Progress(int users, long events, @Nullable String nextPageToken) {

	}

}
