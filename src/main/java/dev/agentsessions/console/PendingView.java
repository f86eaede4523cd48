package dev.agentsessions.console;

import java.util.List;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.pending.PendingCall;

/**
 * A function call that waits for somebody's answer.
 *
 * @param user whose session it is in
 * @param session the id of the session
 * @param name the function
 * @param since since when
 * @param args its arguments
 * @param link the session right after the call
 */
record PendingView(TruncatedText user, TruncatedText session, TruncatedText name, String since, TruncatedText args,
		String link) {

	/** So many are shown. */
	static final int MOST = 10;

	private static final int ARGUMENTS = 2000;

	static List<PendingView> of(List<PendingCall> calls, Links links) {
		return calls.stream().map((call) -> of(call, links)).toList();
	}

	private static PendingView of(PendingCall call, Links links) {
		JsonText args = call.args();
		return new PendingView(TruncatedText.of(call.session().userId(), TruncatedText.SHORT),
				TruncatedText.of(call.session().sessionId(), TruncatedText.SHORT),
				TruncatedText.of(call.name().isBlank() ? "a function" : call.name(), TruncatedText.SHORT),
				TimeFormat.of(call.since()), (args != null) ? IndentedJson.of(args, ARGUMENTS) : TruncatedText.NOTHING,
				links.session(call.session(), call.seq()) + "#event-" + call.seq());
	}

}
