package dev.agentsessions.session.event;

import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Sha256;

/**
 * The values of a stored event that decide which other events it needs when a summary
 * replaces some of the history.
 *
 * @param time the time that its sender gave it, in seconds, as ADK compares times
 * @param calls the {@linkplain CallKey keys} of its function calls
 * @param needs the keys of the function calls that it answers, or that its branch or its
 * task is named after
 * @param answers the keys of the function calls that it answers
 */
public record EventLinks(double time, List<String> calls, Set<String> needs, List<String> answers) {

	/** The number of a run, or nothing. */
	private static final Pattern NUMBER = Pattern.compile("[0-9]*");

	/** Reads the links of a stored event. */
	public static EventLinks of(JsonText body) {
		JsonObject event = JsonObject.of(body);
		String scope = event.stringIfAny(EventFields.ISOLATION_SCOPE);
		List<String> answers = FunctionParts.keys(FunctionParts.responses(event));
		return new EventLinks(Double.parseDouble(event.required(EventFields.TIMESTAMP).text()),
				FunctionParts.keys(FunctionParts.calls(event)), needs(answers, event, scope), answers);
	}

	/** Returns whether some agents that see other events do not see this one. */
	static boolean isForSomeAgents(JsonObject event) {
		JsonObject node = LenientFields.object(event, "nodeInfo");
		JsonText content = event.get(EventFields.CONTENT);
		return event.stringIfAny(EventFields.ISOLATION_SCOPE) != null || isGiven(event.stringIfAny(EventFields.BRANCH))
				|| node != null && isGiven(node.stringIfAny("path"))
				|| content != null && content.text().contains("unction");
	}

	/**
	 * A branch of ADK 2 is named after the call of a tool that publishes on it, or after
	 * the number of a run, and the scope of a task is the id of the call that delegated
	 * it.
	 */
	private static Set<String> needs(List<String> answers, JsonObject event, @Nullable String scope) {
		Set<String> needs = new HashSet<>(answers);
		runs(event).filter((run) -> !NUMBER.matcher(run).matches()).forEach(needs::add);
		if (scope != null && !scope.isEmpty() && FunctionParts.isStorable(scope)) {
			needs.add(CallKey.of(scope));
		}
		return needs;
	}

	/**
	 * Returns the {@linkplain CallKey keys} after which the runs on the branch of an
	 * event are named, and the numbers of other runs.
	 */
	static Stream<String> runs(JsonObject event) {
		String branch = event.stringIfAny(EventFields.BRANCH);
		return Stream.of((branch != null) ? branch.split("\\.") : new String[0])
			.filter((segment) -> segment.indexOf('@') >= 0 && FunctionParts.isStorable(segment))
			.map((segment) -> CallKey.of(segment.substring(segment.lastIndexOf('@') + 1)));
	}

	private static boolean isGiven(@Nullable String text) {
		return text != null && !text.isEmpty();
	}

	/**
	 * Stands for the id of a function call where calls and their responses are matched,
	 * in an index, an address and a page token. It is the id itself, or its digest if the
	 * id is too long for them: some frameworks put signatures of several kilobytes into
	 * the id.
	 */
	public static final class CallKey {

		private CallKey() {
		}

		/** Returns the key of a call with this id. */
		public static String of(String id) {
			return isLong(id) ? HexFormat.of().formatHex(Sha256.of(id)) : id;
		}

		/** Returns whether the key of a call with this id is a digest. */
		public static boolean isLong(String id) {
			return id.length() > Identifiers.MAX_CODE_POINTS;
		}

	}

}
