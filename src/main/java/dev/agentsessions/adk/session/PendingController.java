package dev.agentsessions.adk.session;

import java.math.BigDecimal;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.PendingService.PendingCall;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery.PendingPosition;
import dev.agentsessions.web.PageTokens;

/** Lists the function calls that wait for an answer. */
@RestController
class PendingController {

	private static final String LIST = "adk pending";

	private final PendingService pending;

	private final PageTokens tokens;

	PendingController(PendingService pending, PageTokens tokens) {
		this.pending = pending;
		this.tokens = tokens;
	}

	@GetMapping("/apps/{appName}/users/{userId}/sessions/{sessionId}/pending")
	PendingList listPending(SessionName name, @RequestParam @Nullable Integer limit,
			@RequestParam @Nullable String pageToken) {
		return list(new PendingQuery(name.app(), name, null, QueryParameters.pageSize(limit)), pageToken);
	}

	@GetMapping("/apps/{appName}/pending")
	PendingList listAppPending(@PathVariable String appName, @RequestParam @Nullable Integer limit,
			@RequestParam @Nullable String pageToken) {
		return list(new PendingQuery(new StateOwner(appName, null), null, null, QueryParameters.pageSize(limit)),
				pageToken);
	}

	private PendingList list(PendingQuery query, @Nullable String pageToken) {
		Page<PendingCall> page = this.pending.list((pageToken != null)
				? query.after(PendingPosition.of(this.tokens.position(pageToken, LIST, List.of(query)))) : query);
		return new PendingList(page.items().stream().map(PendingList.Item::from).toList(),
				page.more() ? this.tokens.issue(LIST, List.of(query), PendingPosition.of(page.last()).texts()) : null);
	}

	/**
	 * A page of function calls that wait for an answer.
	 *
	 * @param pending the calls, the oldest first
	 * @param nextPageToken the token of the next page; absent on the last page
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record PendingList(List<Item> pending, @Nullable String nextPageToken) {

		/**
		 * A function call that waits for an answer.
		 *
		 * @param appName the app
		 * @param userId the user
		 * @param sessionId the session
		 * @param eventId the id of the event with the call
		 * @param seq the seq of this event
		 * @param since since when the call waits, in decimal seconds
		 * @param functionCall the call as it is in the event
		 */
		@JsonInclude(JsonInclude.Include.NON_NULL)
		record Item(String appName, String userId, String sessionId, String eventId, long seq, BigDecimal since,
				FunctionCall functionCall) {

			private static Item from(PendingCall call) {
				return new Item(call.session().appName(), call.session().userId(), call.session().sessionId(),
						call.eventId(), call.seq(), Timestamps.toSeconds(call.since()),
						new FunctionCall(call.callId(), call.name(), call.args()));
			}

		}

		/**
		 * A function call, named as in an event.
		 *
		 * @param id its id
		 * @param name the name of the function
		 * @param args its arguments; absent if they are long
		 */
		@JsonInclude(JsonInclude.Include.NON_NULL)
		record FunctionCall(String id, String name, @Nullable JsonText args) {

		}

	}

}
