package dev.agentsessions.vertex.event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/**
 * Converts an event to version v1 of the API. ADK Rust from 2.0 on does not read a
 * session if an event has an unknown field.
 */
final class V1Projection {

	private static final String ACTIONS = ParsedEvent.ACTIONS;

	private static final String METADATA = "eventMetadata";

	private static final String CONTENT = "content";

	private static final String PARTS = "parts";

	private static final String ROLE = "role";

	private static final String ARTIFACT_DELTA = "artifactDelta";

	private static final Set<String> EVENT_FIELDS = Messages.EVENT.names();

	private static final Set<String> ACTION_FIELDS = Messages.ACTIONS.names("transferToAgent");

	private static final Set<String> METADATA_FIELDS = Messages.METADATA.names("usageMetadata");

	private static final Set<JsonText> ROLES = Set.of(JsonStrings.of("user"), JsonStrings.of("model"));

	private V1Projection() {
	}

	/** Returns the event without fields unknown to the version. */
	static ParsedEvent of(ParsedEvent event) {
		JsonObject fields = event.fields();
		Map<String, JsonText> strict = new LinkedHashMap<>(only(fields, EVENT_FIELDS).members());
		strict.put(ACTIONS, ParsedEvent.ACTIONS_PLACEHOLDER);
		strict.put(METADATA, only(fields.object(METADATA), METADATA_FIELDS).asJson());
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
			case "author" -> JsonStrings.of("user");
			case "invocationId" -> JsonStrings.of("none");
			default -> value;
		};
	}

	private static JsonObject actions(JsonObject actions) {
		JsonObject strict = only(actions, ACTION_FIELDS);
		JsonObject versions = strict.object(ARTIFACT_DELTA);
		if (versions == null) {
			return strict;
		}
		Map<String, JsonText> valid = new LinkedHashMap<>(versions.members());
		valid.values().removeIf((version) -> !isInt32(version.text()));
		return strict.with(ARTIFACT_DELTA, new JsonObject("", valid).asJson());
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
		Map<String, JsonText> members = new LinkedHashMap<>((object != null) ? object.members() : Map.of());
		members.keySet().retainAll(known);
		return new JsonObject("", members);
	}

	private static boolean isBlank(JsonText value) {
		return value.isString() && value.string("").isBlank();
	}

}
