package dev.agentsessions.vertex.event;

import static dev.agentsessions.session.event.EventFields.ACTIONS;
import static dev.agentsessions.session.event.EventFields.ARTIFACT_DELTA;
import static dev.agentsessions.session.event.EventFields.AUTHOR;
import static dev.agentsessions.session.event.EventFields.CONTENT;
import static dev.agentsessions.session.event.EventFields.DATA;
import static dev.agentsessions.session.event.EventFields.FILE_DATA;
import static dev.agentsessions.session.event.EventFields.FILE_URI;
import static dev.agentsessions.session.event.EventFields.FUNCTION_CALL;
import static dev.agentsessions.session.event.EventFields.FUNCTION_RESPONSE;
import static dev.agentsessions.session.event.EventFields.INLINE_DATA;
import static dev.agentsessions.session.event.EventFields.INVOCATION_ID;
import static dev.agentsessions.session.event.EventFields.MIME_TYPE;
import static dev.agentsessions.session.event.EventFields.PARTS;
import static dev.agentsessions.session.event.EventFields.ROLE;
import static dev.agentsessions.session.event.EventFields.TEXT;
import static dev.agentsessions.session.event.EventFields.THOUGHT;
import static dev.agentsessions.session.event.EventFields.TRANSFER_TO_AGENT;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.vertex.event.RawEvent.ParsedEvent;

/**
 * Converts an event to version v1 of the API. ADK Rust from 2.0 on does not read a
 * session if an event has an unknown field.
 */
final class V1Projection {

	private static final Set<String> EVENT_FIELDS = Messages.EVENT.names();

	private static final Set<String> ACTION_FIELDS = Messages.ACTIONS.names(TRANSFER_TO_AGENT);

	private static final Set<JsonText> ROLES = Set.of(JsonStrings.of("user"), JsonStrings.of("model"));

	private V1Projection() {
	}

	/** Returns the event without fields unknown to the version. */
	static ParsedEvent of(ParsedEvent event) {
		JsonObject fields = event.fields();
		Map<String, JsonText> strict = new LinkedHashMap<>(only(fields, EVENT_FIELDS).members());
		strict.put(ACTIONS, ParsedEvent.ACTIONS_PLACEHOLDER);
		strict.put(Messages.EVENT_METADATA,
				only(fields.object(Messages.EVENT_METADATA), Messages.METADATA_OF_PROTOCOL).asJson());
		strict.replaceAll((name, value) -> isBlank(value) ? placeholder(name, value) : value);
		// ADK Rust reads such content from its own copy in the raw event only
		JsonObject content = RustEvent.hasContentFor(event.raw()) ? null : content(fields.object(CONTENT));
		if (content == null) {
			strict.remove(CONTENT);
		}
		else {
			strict.put(CONTENT, content.asJson());
		}
		return event.withFields(new JsonObject(fields.path(), strict)).withActions(actions(event.actions()));
	}

	/**
	 * Returns a placeholder for a blank author or invocation id, which only this version
	 * requires.
	 */
	private static JsonText placeholder(String name, JsonText value) {
		return switch (name) {
			case AUTHOR -> JsonStrings.of("user");
			case INVOCATION_ID -> JsonStrings.of("none");
			default -> value;
		};
	}

	private static JsonObject actions(JsonObject actions) {
		JsonObject strict = only(actions, ACTION_FIELDS);
		JsonObject versions = strict.object(ARTIFACT_DELTA);
		if (versions == null) {
			return strict;
		}
		JsonObject valid = versions.changed((members) -> members.values().removeIf((value) -> !isInt32(value.text())));
		return strict.with(ARTIFACT_DELTA, valid.asJson());
	}

	private static boolean isInt32(String number) {
		long value = Long.parseLong(number);
		return value == (int) value;
	}

	private static @Nullable JsonObject content(@Nullable JsonObject content) {
		if (content == null || content.get(PARTS) == null) {
			return null;
		}
		List<JsonText> parts = new ArrayList<>();
		content.objects(PARTS).forEach((part) -> parts.addAll(V1Part.of(part)));
		if (parts.isEmpty()) {
			return null;
		}
		JsonObject strict = only(content, Set.of(ROLE, PARTS)).with(PARTS, FieldReaders.array(parts.stream()));
		JsonText role = strict.get(ROLE);
		return (role == null || ROLES.contains(role)) ? strict : strict.with(ROLE, JsonStrings.of("user"));
	}

	/** Returns the known fields of an object. */
	private static JsonObject only(@Nullable JsonObject object, Set<String> known) {
		return Objects.requireNonNullElse(object, JsonObject.EMPTY)
			.changed((members) -> members.keySet().retainAll(known));
	}

	private static boolean isBlank(JsonText value) {
		return value.isString() && value.string("").isBlank();
	}

	/**
	 * Converts a part of a content to version v1 of the API: a part has exactly one kind
	 * of data, with every field that ADK Rust requires.
	 */
	static final class V1Part {

		private static final JsonText EMPTY = new JsonText("{}");

		/**
		 * Fields that are data. If a part has several, each one becomes a part of its
		 * own.
		 */
		private static final List<String> KINDS = List.of(FUNCTION_CALL, FUNCTION_RESPONSE, INLINE_DATA, FILE_DATA,
				"executableCode", "codeExecutionResult", TEXT);

		/** Fields that a part may have beside any kind of data. */
		private static final Set<String> FIELDS_OF_ANY_KIND = Set.of(THOUGHT, "thoughtSignature", "mediaResolution");

		/** Fields that must be objects, whose keys users choose. */
		private static final Set<String> STRUCTS = Set.of("args", "response");

		private static final Set<String> MEDIA = Set.of(INLINE_DATA, FILE_DATA);

		private static final Map<String, Set<String>> KNOWN = Map.of(INLINE_DATA, Messages.BLOB.names(), FILE_DATA,
				Messages.FILE.names(), FUNCTION_CALL, Messages.FUNCTION_CALL.names("id"), FUNCTION_RESPONSE,
				Messages.FUNCTION_RESPONSE.names("id", "willContinue", "scheduling"));

		private static final Map<String, Map<String, JsonText>> REQUIRED = Map.of(INLINE_DATA,
				Map.of(MIME_TYPE, JsonStrings.of("application/octet-stream"), DATA, JsonStrings.of("")), FILE_DATA,
				Map.of(MIME_TYPE, JsonStrings.of("application/octet-stream"), FILE_URI, JsonStrings.of("unknown:")),
				FUNCTION_RESPONSE, Map.of("name", JsonStrings.of("unknown"), "response", EMPTY));

		private V1Part() {
		}

		/** Returns parts with the same data: one for each kind of data. */
		static List<JsonText> of(JsonObject part) {
			List<JsonText> converted = new ArrayList<>();
			for (String kind : KINDS) {
				if (part.get(kind) != null) {
					converted.add(of(part, kind, data(part, kind)));
				}
			}
			return converted.isEmpty() ? List.of(of(part, TEXT, JsonStrings.of(""))) : converted;
		}

		private static JsonText of(JsonObject part, String kind, JsonText data) {
			Map<String, JsonText> members = new LinkedHashMap<>(part.members());
			members.keySet().removeIf((name) -> !FIELDS_OF_ANY_KIND.contains(name) && !isVideo(kind, name));
			members.put(kind, data);
			return new JsonObject("", members).asJson();
		}

		private static boolean isVideo(String kind, String name) {
			return MEDIA.contains(kind) && name.equals("videoMetadata");
		}

		private static JsonText data(JsonObject part, String kind) {
			Set<String> known = KNOWN.get(kind);
			if (known == null) {
				return part.required(kind);
			}
			Map<String, JsonText> members = new LinkedHashMap<>(part.requiredObject(kind).members());
			members.keySet().retainAll(known);
			members.values().removeIf(JsonStrings.of("")::equals);
			members.entrySet().removeIf((field) -> STRUCTS.contains(field.getKey()) && !field.getValue().isObject());
			REQUIRED.getOrDefault(kind, Map.of()).forEach(members::putIfAbsent);
			return new JsonObject("", members).asJson();
		}

	}

}
