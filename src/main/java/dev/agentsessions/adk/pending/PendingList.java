package dev.agentsessions.adk.pending;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
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
 * A page of function calls that wait for somebody's answer.
 *
 * @param pending the calls, the oldest first
 * @param nextPageToken where the next page begins; absent on the last one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record PendingList(List<Item> pending, @Nullable String nextPageToken) {

	static PendingList from(Page<PendingCall> page, PendingQuery query, PageTokens tokens) {
		return new PendingList(page.items().stream().map(Item::from).toList(),
				page.more() ? tokenBehind(page.last(), query, tokens) : null);
	}

	private static String tokenBehind(PendingCall call, PendingQuery query, PageTokens tokens) {
		return tokens.issue(fingerprint(query), call.since().toString(), call.birth().toString(), call.callId(),
				Long.toString(call.seq()));
	}

	/** A query for the page that begins where a token says. */
	static PendingQuery behind(String token, PendingQuery query, PageTokens tokens) {
		List<String> place = tokens.position(token, fingerprint(query));
		return query.behind(new PendingPosition(Instant.parse(place.get(0)), UUID.fromString(place.get(1)),
				place.get(2), Long.parseLong(place.get(3))));
	}

	private static List<?> fingerprint(PendingQuery query) {
		return Arrays.asList("adk pending", query.appName(), query.session());
	}

	/**
	 * A call that waits.
	 *
	 * @param appName the app
	 * @param userId the user
	 * @param sessionId the session
	 * @param eventId the event that the call is in
	 * @param seq the place of this event
	 * @param since since when it waits, in seconds
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
