package dev.agentsessions.session.event;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/**
 * The possible meanings of an event, as bits that the store keeps beside its body. A
 * reader selects the few relevant events by these bits and reads no other bodies. A bit
 * that is set says that the event may mean this; the body decides. A bit that is not set
 * says that the event does not mean it.
 */
public final class EventKind {

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
	 * Reports an error. Exact, but absent from events that a version before this bit has
	 * stored.
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
		return ofState(delta) | ofMarks | ofContent(event.get(EventFields.CONTENT)) | ofBranch(event, actions, marks);
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
