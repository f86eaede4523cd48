package dev.agentsessions.adk.pending;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.pending.PendingCall;
import dev.agentsessions.session.pending.PendingQuery;
import dev.agentsessions.session.pending.PendingQuery.PendingPosition;
import dev.agentsessions.web.PageTokens;

/**
 * A page of function calls that wait for an answer.
 *
 * @param pending the calls, the oldest first
 * @param nextPageToken the token of the next page; absent on the last page
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record PendingList(List<Item> pending, @Nullable String nextPageToken) {

	private static final String LIST = "adk pending";

	static PendingList from(Page<PendingCall> page, PendingQuery query, PageTokens tokens) {
		return new PendingList(page.items().stream().map(Item::from).toList(),
				page.more() ? tokenAfter(page.last(), query, tokens) : null);
	}

	private static String tokenAfter(PendingCall call, PendingQuery query, PageTokens tokens) {
		return tokens.issue(LIST, List.of(query), call.since().toString(), call.birth().toString(), call.callKey(),
				Long.toString(call.seq()));
	}

	/** Returns the query for the page that a token refers to. */
	static PendingQuery after(String token, PendingQuery query, PageTokens tokens) {
		List<String> cursor = tokens.position(token, LIST, List.of(query));
		return query.after(new PendingPosition(Instant.parse(cursor.get(0)), UUID.fromString(cursor.get(1)),
				cursor.get(2), Long.parseLong(cursor.get(3))));
	}

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
