package dev.agentsessions.vertex.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Timestamps;

/**
 * What ADK Python needs otherwise than it was stored.
 *
 * <p>
 * Times it can compare: it rounds the time of an event to microseconds when it sends it,
 * and its raw event keeps what the time was. The end of a summary is the unrounded time
 * of its last event; an event that was rounded up would count as newer than its own
 * summary, and would be summed up again, by a paid call of a model. So both are cut to
 * the microsecond. Source: {@code compaction.py} and {@code vertex_ai_session_service.py}
 * of ADK Python 2.13.
 *
 * <p>
 * No action in the raw copy that it does not know: it would not read the session.
 */
final class PythonEvent {

	private static final String TIMESTAMP = "timestamp";

	private static final List<String> HIDDEN_COMPACTION = List.of("eventMetadata", "customMetadata", "_compaction");

	private static final List<String> ACTIONS = List.of(ParsedEvent.ACTIONS);

	private static final List<String> COMPACTION = List.of("compaction");

	/** Actions of ADK Java that ADK Python forbids. */
	private static final Set<String> UNKNOWN = Set.of("deletedArtifactIds", "deleted_artifact_ids");

	/** Seconds with more digits than microseconds have. */
	private static final Pattern SECONDS = Pattern.compile("(\\d{1,11}\\.\\d{6})\\d+");

	private static final Duration ROUNDED_UP = Duration.ofNanos(1000);

	private PythonEvent() {
	}

	/** A copy of an event of the protocol; what ADK Rust has sent it compares itself. */
	static ParsedEvent of(ParsedEvent event) {
		if (RustEvent.isIn(event.raw())) {
			return event;
		}
		JsonObject fields = within(event.fields(), HIDDEN_COMPACTION, PythonEvent::withCutEnds);
		JsonObject raw = event.raw();
		return event.withFields((raw != null) ? withRaw(fields, raw) : fields);
	}

	private static JsonObject withRaw(JsonObject event, JsonObject raw) {
		JsonObject readable = within(raw, ACTIONS,
				(actions) -> within(actions.without(UNKNOWN), COMPACTION, PythonEvent::withCutEnds));
		JsonObject changed = readable.equals(raw) ? event : event.with(RawEvent.FIELD, readable.toJson());
		return withCutTime(changed, raw);
	}

	private static JsonObject withCutTime(JsonObject event, JsonObject raw) {
		JsonText cut = cut(raw.get(TIMESTAMP));
		String sent = event.string(TIMESTAMP);
		if (cut == null || sent == null) {
			return event;
		}
		Instant time = Timestamps.parse(TIMESTAMP, cut.text());
		boolean roundedUp = Duration.between(time, Instant.parse(sent)).equals(ROUNDED_UP);
		return roundedUp ? event.with(TIMESTAMP, JsonStrings.of(time.toString())) : event;
	}

	private static JsonObject withCutEnds(JsonObject compaction) {
		JsonObject cut = compaction;
		for (String name : compaction.members().keySet()) {
			JsonText time = cut(compaction.get(name));
			cut = (time != null) ? cut.with(name, time) : cut;
		}
		return cut;
	}

	private static @Nullable JsonText cut(@Nullable JsonText seconds) {
		if (seconds == null) {
			return null;
		}
		Matcher precise = SECONDS.matcher(seconds.text());
		return precise.matches() ? new JsonText(precise.group(1)) : null;
	}

	private static JsonObject within(JsonObject parent, List<String> path, UnaryOperator<JsonObject> change) {
		if (path.isEmpty()) {
			return change.apply(parent);
		}
		String name = path.get(0);
		JsonObject child = parent.objectIfAny(name);
		JsonObject changed = (child != null) ? within(child, path.subList(1, path.size()), change) : null;
		return (changed != null && !changed.equals(child)) ? parent.with(name, changed.toJson()) : parent;
	}

}
