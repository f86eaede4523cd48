package dev.agentsessions.vertex.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;
import dev.agentsessions.vertex.event.EventMapping.InternalMetadata;
import dev.agentsessions.vertex.event.RawEvent.ParsedEvent;

/**
 * Converts events of the protocol to stored events and back, for the client library of
 * the request. Source: {@code session.proto} of {@code google.cloud.aiplatform.v1beta1},
 * and the session services of the ADKs.
 */
public final class WireEvents {

	/** What the conversion of a stored event allocates at most, as measured by a test. */
	public static final TranslationCost COST = new TranslationCost(14, 650);

	private WireEvents() {
	}

	/**
	 * Converts an event of the protocol to a stored event.
	 * @param sent the event, or an object with the event only
	 * @throws JsonException.InvalidShape if a field has the wrong type
	 * @throws SessionException.InvalidArgument if a field has an invalid value, or the
	 * author is missing
	 */
	public static JsonObject toStored(JsonObject sent, ClientLibrary client) {
		ParsedEvent event = EventMapping.toStored(unwrapped(sent, "event"));
		JsonObject stored = (client.isAdkJava() ? AdkJavaEvents.fromJava(event) : event).toObject();
		return JsonObject.of(stored.toJson());
	}

	/**
	 * Returns the session or event of a body. ADK Rust up to 1.0 sends it in a field.
	 * @throws JsonException.InvalidShape if the field contains no object
	 */
	private static JsonObject unwrapped(JsonObject body, String name) {
		if (!body.members().keySet().equals(Set.of(name))) {
			return body;
		}
		JsonObject content = body.object(name);
		if (content == null) {
			throw new JsonException.InvalidShape(name, "must be a JSON object");
		}
		return content;
	}

	/**
	 * Converts a stored event to an event of the protocol, which is not written yet.
	 * @param name its full resource name
	 * @param client the client library that reads it
	 * @param version the version of the API in the request
	 */
	public static JsonText fromStored(Event stored, String name, ClientLibrary client, ApiVersion version) {
		ParsedEvent event = EventMapping.fromStored(stored, name);
		ParsedEvent readable = (version == ApiVersion.V1) ? V1Projection.of(event) : PythonEvent.of(event);
		return (client.isAdkJava() ? AdkJavaEvents.toJava(readable) : readable).toObject().asJson();
	}

	/**
	 * Converts events to a form that ADK Python reads correctly.
	 *
	 * <p>
	 * Times: ADK Python sends the time of an event rounded to microseconds, and its raw
	 * event contains the exact time. The end of a summary is the exact time of its last
	 * event. An event that was rounded up would count as newer than its own summary, and
	 * ADK Python would summarise it again, by a paid model call. So both times are
	 * truncated to the microsecond. Source: {@code compaction.py} and
	 * {@code vertex_ai_session_service.py} of ADK Python 2.13.
	 *
	 * <p>
	 * Actions: ADK Python does not read a session with an unknown action in a raw copy,
	 * so such actions are removed.
	 */
	static final class PythonEvent {

		private static final List<String> HIDDEN_COMPACTION = List.of(Messages.EVENT_METADATA,
				EventFields.CUSTOM_METADATA, InternalMetadata.HIDDEN_COMPACTION);

		private static final List<String> ACTIONS = List.of(EventFields.ACTIONS);

		private static final List<String> COMPACTION = List.of(EventFields.COMPACTION);

		/** Actions of ADK Java that ADK Python rejects. */
		private static final Set<String> UNKNOWN = FieldNames.spellings("deletedArtifactIds");

		/** Seconds with more than six decimal places. */
		private static final Pattern SECONDS = Pattern.compile("(\\d{1,11}\\.\\d{6})\\d+");

		private static final Duration ROUNDED_UP = Duration.ofNanos(1000);

		private PythonEvent() {
		}

		/**
		 * Returns a converted copy of an event of the protocol. Events of ADK Rust stay
		 * unchanged, because ADK Rust compares their fields with its own copy.
		 */
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
			JsonObject changed = readable.equals(raw) ? event : event.with(RawEvent.FIELD, readable.asJson());
			return withCutTime(changed, raw);
		}

		private static JsonObject withCutTime(JsonObject event, JsonObject raw) {
			JsonText cut = cut(raw.get(EventFields.TIMESTAMP));
			String sent = event.string(EventFields.TIMESTAMP);
			if (cut == null || sent == null) {
				return event;
			}
			Instant time = Timestamps.parse(EventFields.TIMESTAMP, cut.text());
			boolean roundedUp = Duration.between(time, Instant.parse(sent)).equals(ROUNDED_UP);
			return roundedUp ? event.with(EventFields.TIMESTAMP, JsonStrings.of(time.toString())) : event;
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
			return (changed != null && !changed.equals(child)) ? parent.with(name, changed.asJson()) : parent;
		}

	}

	/**
	 * Reads and writes the session fields whose types also occur in events.
	 */
	public static final class WireSessions {

		private WireSessions() {
		}

		/**
		 * Returns the fields of a session in a request, in camelCase and without null
		 * values.
		 * @param sent the session, in camelCase or snake_case, or an object with the
		 * session only
		 * @throws JsonException.InvalidShape if a field has the wrong type
		 */
		public static JsonObject fields(JsonObject sent) {
			return Messages.SESSION.read(unwrapped(sent, "session"));
		}

		/** Returns the keys of a state that a client can read. */
		public static Map<String, JsonText> state(Map<String, JsonText> state, ClientLibrary client) {
			return client.isAdkJava() ? AdkJavaEvents.toJava(state) : state;
		}

	}

	/** A version of the API, the first segment of a path. */
	public enum ApiVersion {

		/** Used by ADK Rust from 2.0 on, which rejects every unknown field. */
		V1,

		/** Used by all other clients. */
		V1BETA1;

		/** The pattern of the first segment, with the variable {@code version}. */
		public static final String PATTERN = "/{version:v1|v1beta1}";

		/** Returns the version with a name; any other text is {@link #V1BETA1}. */
		public static ApiVersion of(String text) {
			return "v1".equals(text) ? V1 : V1BETA1;
		}

		/** Returns the value of {@code @type} for a message of this version. */
		public String type(String message) {
			return "type.googleapis.com/google.cloud.aiplatform." + ((this == V1) ? "v1." : "v1beta1.") + message;
		}

	}

	/**
	 * The client library of a request, by its {@code User-Agent}. Used only where a
	 * client needs a different response from all others.
	 *
	 * @param userAgent the header {@code User-Agent}
	 */
	public record ClientLibrary(@Nullable String userAgent) {

		/** Returns the client library that sent a request. */
		public static ClientLibrary of(HttpServletRequest request) {
			return new ClientLibrary(request.getHeader(HttpHeaders.USER_AGENT));
		}

		/** Returns whether this is ADK Java, in any version up to 1.8. */
		public boolean isAdkJava() {
			return userAgentContains("gl-java/") && userAgentContains("google-genai-sdk/0.1.0");
		}

		/** Returns whether this is ADK Java, Python or TypeScript. */
		public boolean isGenAiSdk() {
			return userAgentContains("google-genai-sdk");
		}

		private boolean userAgentContains(String name) {
			return this.userAgent != null && this.userAgent.contains(name);
		}

	}

}
