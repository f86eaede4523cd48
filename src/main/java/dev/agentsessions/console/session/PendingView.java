package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.IndentedJson;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.PendingService.PendingCall;

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

	public static List<PendingView> of(List<PendingCall> calls, Links links) {
		return calls.stream().map((call) -> of(call, links)).toList();
	}

	public static PendingView of(PendingCall call, Links links) {
		SessionName name = call.session();
		return new PendingView(TruncatedText.line(name.userId()), TruncatedText.line(name.sessionId()),
				Question.name(call.name()), Question.of(call), TimeFormat.of(call.since()), Question.json(call.args()),
				links.session(name), links.owner(name.user()), links.eventInSession(name, call.seq()),
				links.session(name) + "/answer?seq=" + call.seq() + "&call=" + Links.encode(call.callKey()));
	}

	/**
	 * What a function call that waits asks a person. The calls of ADK itself say it in
	 * arguments that only ADK knows (ADK Python 2.13, {@code flows/llm_flows/tools}).
	 *
	 * @param title what is asked for
	 * @param call the name of the function that a person decides on; blank for none
	 * @param text what the agent says about it; blank for nothing
	 * @param args the arguments of this function; blank for none
	 * @param ofAdk whether the arguments of the call are in a form of ADK
	 */
	public record Question(String title, TruncatedText call, TruncatedText text, TruncatedText args, boolean ofAdk) {

		private static final int MAX_CHARS = 2000;

		private static final int MAX_FLOWS = 8;

		static Question of(PendingCall call) {
			JsonText json = call.args();
			JsonObject args = LenientFields.object(json);
			return switch (call.name()) {
				case "adk_request_confirmation" -> confirmation(args, json);
				case "adk_request_input" -> ofAdk("Input",
						LenientFields.text(args, (LenientFields.get(args, "message") != null) ? "message" : "prompt"));
				case "adk_request_credential" -> ofAdk("Credentials", credential(args));
				default ->
					new Question("Answer to the call of", name(call.name()), TruncatedText.EMPTY, json(json), false);
			};
		}

		/** Returns the arguments in one line. */
		public TruncatedText line() {
			TruncatedText line = TruncatedText.line(this.args.text().replaceAll("\\s*\\n\\s*", " "));
			return new TruncatedText(line.text(), line.omittedChars() + this.args.omittedChars());
		}

		private static Question confirmation(@Nullable JsonObject args, @Nullable JsonText json) {
			JsonObject call = LenientFields.object(args, "originalFunctionCall");
			JsonObject asked = LenientFields.object(args, "toolConfirmation");
			if (call == null && asked == null) {
				return new Question("Confirmation", TruncatedText.EMPTY, TruncatedText.EMPTY, json(json), false);
			}
			return new Question((call != null) ? "Confirmation of the call of" : "Confirmation",
					(call != null) ? name(LenientFields.text(call, "name")) : TruncatedText.EMPTY,
					TruncatedText.of(LenientFields.text(asked, "hint"), MAX_CHARS),
					json(LenientFields.get(call, "args")), true);
		}

		private static Question ofAdk(String title, String text) {
			return new Question(title, TruncatedText.EMPTY, TruncatedText.of(text, MAX_CHARS), TruncatedText.EMPTY,
					true);
		}

		/** Names the scheme and the scopes. No other part of a credential is read. */
		private static String credential(@Nullable JsonObject args) {
			JsonObject config = LenientFields.object(args, "authConfig");
			JsonObject scheme = LenientFields.object(config, "authScheme");
			List<String> lines = new ArrayList<>();
			lines.add(LenientFields.text(args, "message"));
			lines.add(line("Scheme: ",
					Stream.of("type", "scheme", "name").map((name) -> LenientFields.text(scheme, name))));
			lines.add(line("Scopes: ", scopes(scheme)));
			return String.join("\n", lines.stream().filter((line) -> !line.isBlank()).toList());
		}

		private static String line(String title, Stream<String> values) {
			String line = String.join(", ", values.filter((value) -> !value.isBlank()).toList());
			return line.isEmpty() ? "" : title + line;
		}

		/** OAuth 2 has the scopes of each flow by name, OpenID Connect has a list. */
		private static Stream<String> scopes(@Nullable JsonObject scheme) {
			JsonObject flows = LenientFields.object(scheme, "flows");
			TreeSet<String> scopes = new TreeSet<>();
			if (flows != null) {
				flows.members().values().stream().limit(MAX_FLOWS).forEach((flow) -> {
					JsonObject ofFlow = LenientFields.object(LenientFields.object(flow), "scopes");
					scopes.addAll((ofFlow != null) ? ofFlow.members().keySet() : List.of());
				});
			}
			LenientFields.elements(scheme, "scopes").forEach((scope) -> scopes.add(scope.stringOrText()));
			return scopes.stream();
		}

		private static TruncatedText name(String name) {
			return TruncatedText.line(name.isBlank() ? "a function" : name);
		}

		private static TruncatedText json(@Nullable JsonText json) {
			return (json != null) ? IndentedJson.of(json, MAX_CHARS) : TruncatedText.EMPTY;
		}

	}

}
