package dev.agentsessions.console.pending;

import java.util.List;

import dev.agentsessions.console.view.IndentedJson;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.pending.PendingCall;

/**
 * A function call that waits for an answer.
 *
 * @param user the user of its session
 * @param session the id of the session
 * @param name the name of the function
 * @param question what it asks in words
 * @param since the time of the call
 * @param args its arguments
 * @param sessionLink the page of the session
 * @param userLink the page of the user
 * @param link the page of the session right after the call
 * @param answer the page with the form for the answer
 */
public record PendingView(TruncatedText user, TruncatedText session, TruncatedText name, Question question,
		String since, TruncatedText args, String sessionLink, String userLink, String link, String answer) {

	public static final int MAX_CALLS = 10;

	private static final int MAX_ARGUMENT_CHARS = 2000;

	public static List<PendingView> of(List<PendingCall> calls, Links links) {
		return calls.stream().map((call) -> of(call, links)).toList();
	}

	public static PendingView of(PendingCall call, Links links) {
		JsonText args = call.args();
		return new PendingView(TruncatedText.of(call.session().userId(), TruncatedText.MAX_LINE_CHARS),
				TruncatedText.of(call.session().sessionId(), TruncatedText.MAX_LINE_CHARS),
				TruncatedText.of(call.name().isBlank() ? "a function" : call.name(), TruncatedText.MAX_LINE_CHARS),
				Question.of(call), TimeFormat.of(call.since()),
				(args != null) ? IndentedJson.of(args, MAX_ARGUMENT_CHARS) : TruncatedText.EMPTY,
				links.session(call.session()), links.user(call.session().appName(), call.session().userId()),
				links.eventInSession(call.session(), call.seq()),
				links.session(call.session()) + "/answer?seq=" + call.seq() + "&call=" + Links.encode(call.callKey()));
	}

}
