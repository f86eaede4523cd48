package dev.agentsessions.session.event;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Identifiers.StorableText;
import dev.agentsessions.session.event.FunctionParts.EventErrors;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/**
 * The meaning of an event besides the state that it changes: which earlier events a model
 * may see, and which function calls wait for a human. Most events mean nothing else.
 *
 * @param rewindBefore the invocation to rewind: the event takes back its first event and
 * all that follow ({@code actions.rewindBeforeInvocationId}); blank if there cannot be
 * such an invocation, {@code null} if the event takes back none
 * @param compaction the times of the events that it replaces ({@code
 * actions.compaction}); {@code null} if it replaces none
 * @param opened its function calls that wait for an answer
 * @param answered the keys of the function calls that do not wait any more after it
 */
public record EventMarks(@Nullable String rewindBefore, @Nullable TimeRange compaction, List<OpenCall> opened,
		List<String> answered) {

	/** No marks, as most events have none. */
	public static final EventMarks NONE = new EventMarks(null, null, List.of(), List.of());

	/** The beginning of the names of the functions with which an agent asks a human. */
	private static final String REQUEST = "adk_request_";

	/**
	 * Functions whose calls wait even if they are not listed as long-running: ADK did not
	 * always list them. Source: {@code events/_interrupts.py} of ADK Python 2.13.
	 */
	private static final Set<String> REQUESTS = Set.of(REQUEST + "input", REQUEST + "credential");

	private static final String ID_RULE = "must be ids of at most %d characters that do not contain U+0000 or unpaired surrogates"
		.formatted(FunctionParts.MAX_ID_CHARS);

	/**
	 * Maximum number of waiting calls of an event that are stored; further calls are
	 * ignored.
	 */
	static final int MAX_OPEN_CALLS = 1000;

	/**
	 * Reads the marks of an event.
	 * @param event the event, known names in camelCase
	 * @param actions its actions, known names in camelCase
	 */
	static EventMarks of(JsonObject event, JsonObject actions) {
		String rewind = actions.stringIfAny(EventFields.REWIND);
		if (rewind != null && !rewind.isEmpty()) {
			return new EventMarks(StorableText.test(rewind) ? rewind : "", null, List.of(), List.of());
		}
		TimeRange compaction = compaction(event, actions);
		List<OpenCall> opened = opened(event);
		List<String> answered = answered(event);
		return (compaction == null && opened.isEmpty() && answered.isEmpty()) ? NONE
				: new EventMarks(null, compaction, opened, answered);
	}

	/**
	 * Reads the marks of an event that is to be stored.
	 * @throws JsonException.InvalidShape if a call that waits has an id that cannot be
	 * stored
	 */
	static EventMarks ofNew(JsonObject event, JsonObject actions) {
		for (String id : longRunning(event)) {
			InvalidShape.check(FunctionParts.isStorable(id), EventFields.LONG_RUNNING, ID_RULE);
		}
		return of(event, actions);
	}

	/** Reads the marks of a stored event. */
	public static EventMarks of(JsonText body) {
		JsonObject event = JsonObject.of(body);
		return of(event, EventFields.actions(event));
	}

	/** Returns whether the event has no marks. */
	public boolean isEmpty() {
		return this.equals(NONE);
	}

	/**
	 * Reads a summary that all agents see. If only agents of a branch or a task see a
	 * summary, it replaces nothing for the others. So it counts as an ordinary event, and
	 * agents apply it themselves.
	 */
	private static @Nullable TimeRange compaction(JsonObject event, JsonObject actions) {
		JsonObject compaction = LenientFields.object(actions, EventFields.COMPACTION);
		return (compaction != null && !EventLinks.isForSomeAgents(event)) ? TimeRange.of(compaction) : null;
	}

	private static List<OpenCall> opened(JsonObject event) {
		Set<String> longRunning = longRunning(event);
		if (longRunning.isEmpty() && !mayRequest(event.get(EventFields.CONTENT))) {
			return List.of();
		}
		Map<String, OpenCall> opened = new LinkedHashMap<>();
		for (JsonObject call : FunctionParts.calls(event)) {
			String id = FunctionParts.id(call);
			if (id != null && opened.size() < MAX_OPEN_CALLS
					&& (longRunning.contains(id) || REQUESTS.contains(OpenCall.name(call)))) {
				opened.putIfAbsent(id, OpenCall.of(id, call));
			}
		}
		return List.copyOf(opened.values());
	}

	/** Few contents are parsed for this. */
	private static boolean mayRequest(@Nullable JsonText content) {
		return content != null && content.text().contains(REQUEST);
	}

	private static Set<String> longRunning(JsonObject event) {
		JsonText ids = event.get(EventFields.LONG_RUNNING);
		return (ids == null || !ids.isArray()) ? Set.of()
				: ids.elements(EventFields.LONG_RUNNING)
					.stream()
					.filter(JsonText::isString)
					.map((id) -> id.string(""))
					.collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * A user answers calls by their ids, or on a branch that is named after a call. An
	 * agent only answers calls if their invocation was aborted: otherwise its responses
	 * say that the call waits.
	 */
	private static List<String> answered(JsonObject event) {
		JsonText content = event.get(EventFields.CONTENT);
		boolean ofUser = EventFields.USER.equals(event.string(EventFields.AUTHOR));
		if (content == null || !FunctionParts.mayAnswer(content) || !ofUser && !EventErrors.isAborted(event)) {
			return List.of();
		}
		List<JsonObject> responses = FunctionParts.responses(event);
		Stream<String> runs = (ofUser && !responses.isEmpty()) ? EventLinks.runs(event) : Stream.empty();
		return Stream.concat(FunctionParts.keys(responses).stream(), runs).distinct().toList();
	}

	/**
	 * A function call that waits for an answer.
	 *
	 * @param id its id
	 * @param name the name of the function; blank if it has none
	 * @param args its arguments, {@code null} if they are longer than
	 * {@link #MAX_ARGS_CHARS}
	 */
	public record OpenCall(String id, String name, @Nullable JsonText args) {

		/**
		 * Maximum length of arguments that are stored beside the event, in characters.
		 */
		public static final int MAX_ARGS_CHARS = 4096;

		private static final JsonText NO_ARGS = new JsonText("{}");

		private static OpenCall of(String id, JsonObject call) {
			String text = name(call);
			JsonText args = call.get("args");
			return new OpenCall(id, isStorableName(text) ? text : "",
					(args == null) ? NO_ARGS : (args.length() <= MAX_ARGS_CHARS) ? args : null);
		}

		private static String name(JsonObject call) {
			return Objects.requireNonNullElse(call.stringIfAny("name"), "");
		}

		private static boolean isStorableName(String name) {
			return name.length() <= Identifiers.MAX_CODE_POINTS && StorableText.test(name);
		}

	}

	/**
	 * The possible meanings of an event, as bits that the store keeps beside its body. A
	 * reader selects the few relevant events by these bits and reads no other bodies. A
	 * bit that is set says that the event may mean this; the body decides. A bit that is
	 * not set says that the event does not mean it.
	 */
	public static final class EventKind {

		/** Changes the session's own state. */
		public static final int OWN_STATE = 1;

		/** Changes state that other sessions share. */
		public static final int SHARED_STATE = 2;

		/** Takes back events. */
		public static final int REWINDS = 4;

		/** Is a summary that replaces events before it. */
		public static final int COMPACTS = 8;

		/** Has a function call that waits for an answer. */
		public static final int WAITS = 16;

		/** Has a function response. */
		public static final int ANSWERS = 32;

		/**
		 * Reports an error. Exact, but absent from events that a version before this bit
		 * has stored.
		 */
		public static final int ERROR = 64;

		/** Has a function call. */
		public static final int CALLS = 128;

		/** Has a branch or a task that is named after a function call. */
		public static final int NAMED_AFTER_CALL = 256;

		/** No summary replaces it. */
		public static final int NEVER_SUMMARISED = 512;

		/** Changes state of any scope. */
		public static final int STATE = OWN_STATE | SHARED_STATE;

		/** Makes the context of a model differ from the full history. */
		public static final int CONTEXT_CHANGES = REWINDS | COMPACTS;

		private EventKind() {
		}

		/**
		 * Computes the bits from parsed fields, without parsing the content.
		 * @param event the event, known names in camelCase
		 * @param actions its actions, known names in camelCase
		 */
		static int of(JsonObject event, JsonObject actions, StateDelta delta, EventMarks marks) {
			int ofMarks = bit(marks.rewindBefore() != null, REWINDS) | bit(marks.compaction() != null, COMPACTS)
					| bit(!marks.opened().isEmpty(), WAITS) | bit(EventErrors.test(event), ERROR);
			return ofState(delta) | ofMarks | ofContent(event.get(EventFields.CONTENT))
					| ofBranch(event, actions, marks);
		}

		/** Computes the bits of a stored event, except the bits about its state. */
		public static int of(JsonText body) {
			JsonObject event = JsonObject.of(body);
			JsonObject actions = EventFields.actions(event);
			return of(event, actions, StateDelta.EMPTY, EventMarks.of(event, actions));
		}

		private static int ofState(StateDelta delta) {
			int kind = 0;
			for (String key : delta.changes().keySet()) {
				kind |= (StateScope.of(key) == StateScope.SESSION) ? OWN_STATE : SHARED_STATE;
			}
			return kind;
		}

		private static int ofContent(@Nullable JsonText content) {
			if (content == null || !content.text().contains("unction")) {
				return 0;
			}
			return bit(FunctionParts.mayAnswer(content), ANSWERS) | bit(FunctionParts.mayCall(content), CALLS);
		}

		private static int ofBranch(JsonObject event, JsonObject actions, EventMarks marks) {
			JsonText branch = event.get(EventFields.BRANCH);
			JsonText scope = event.get(EventFields.ISOLATION_SCOPE);
			boolean isScoped = scope != null && scope.isString();
			boolean isSummaryForSome = marks.compaction() == null && actions.get(EventFields.COMPACTION) != null;
			return bit(isScoped || branch != null && branch.text().contains("@"), NAMED_AFTER_CALL)
					| bit(isScoped || isSummaryForSome, NEVER_SUMMARISED);
		}

		private static int bit(boolean isSet, int bit) {
			return isSet ? bit : 0;
		}

	}

}
