package dev.agentsessions.vertex;

import java.math.BigDecimal;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.agentsessions.session.FieldNames;
import dev.agentsessions.session.JsonObject;
import dev.agentsessions.session.JsonStrings;
import dev.agentsessions.state.JsonText;
import dev.agentsessions.vertex.Message.Value;

/** The kinds of values that need more than to be passed on. */
final class Values {

	private static final Pattern STANDARD_BASE64 = Pattern.compile("\"[A-Za-z0-9+/]*+={0,2}\"");

	/**
	 * Bytes, which Python writes in the URL-safe alphabet and Java does not read in it.
	 */
	static final Value BASE64 = (parent, name) -> isStandardBase64(parent.get(name).text()) ? parent.get(name)
			: JsonStrings.of(standardBase64(parent.string(name)));

	/** A message without any user's data in it: all its names are known, at any depth. */
	static final Value PLAIN = (parent, name) -> plain(parent.get(name));

	/** A text, which some clients send as a number. */
	static final Value TEXT = (parent, name) -> text(parent.get(name));

	/** A time in any of its forms. */
	static final Value TIME = (parent, name) -> JsonStrings.of(WireTime.read(parent, name).toString());

	/** Versions of artifacts, which some clients send as texts, fractions or objects. */
	static final Value VERSIONS = (parent, name) -> versions(parent.object(name));

	/** Objects by a user's keys; a null inside of one makes ADK Java fail. */
	static final Value CONFIGURATIONS = (parent, name) -> withoutNulls(parent.object(name), 1).toJson();

	private Values() {
	}

	static Value message(Message message) {
		return (parent, name) -> message.read(parent.object(name)).toJson();
	}

	static Value list(Message message) {
		return (parent, name) -> array(parent.objects(name).stream().map(message::read).map(JsonObject::toJson));
	}

	static JsonText array(Stream<JsonText> elements) {
		return new JsonText(elements.map(JsonText::text).collect(Collectors.joining(",", "[", "]")));
	}

	static JsonText plain(JsonText value) {
		if (value.text().startsWith("[")) {
			return array(JsonObject.elements("", value.text()).stream().map(Values::plain));
		}
		if (!value.text().startsWith("{")) {
			return value;
		}
		Map<String, JsonText> members = new LinkedHashMap<>();
		withoutNulls(JsonObject.parse(value.text()), 0).members()
			.forEach((name, member) -> members.put(FieldNames.toCamelCase(name), plain(member)));
		return new JsonObject("", members).toJson();
	}

	private static JsonObject withoutNulls(JsonObject object, int depth) {
		Map<String, JsonText> members = new LinkedHashMap<>(object.members());
		members.values().removeIf(JsonText::isNull);
		if (depth > 0) {
			members.replaceAll((name, value) -> value.text().startsWith("{")
					? withoutNulls(object.object(name), depth - 1).toJson() : value);
		}
		return new JsonObject(object.path(), members);
	}

	private static JsonText text(JsonText value) {
		boolean scalar = List.of('"', '{', '[').indexOf(value.text().charAt(0)) < 0;
		return scalar ? JsonStrings.of(value.text()) : value;
	}

	private static JsonText versions(JsonObject versions) {
		Map<String, JsonText> numbers = new LinkedHashMap<>();
		versions.members().forEach((name, value) -> {
			String version = value.text().replace("\"", "");
			if (version.matches("-?\\d{1,18}(\\.0*)?")) {
				numbers.put(name, new JsonText(new BigDecimal(version).toBigInteger().toString()));
			}
		});
		return new JsonObject("", numbers).toJson();
	}

	/** What is as it should be is not copied: it may be most of the memory. */
	static boolean isStandardBase64(String json) {
		return json.length() % 4 == 2 && STANDARD_BASE64.matcher(json).matches();
	}

	/** The bytes as Base64 in the standard alphabet; what is no Base64 stays as it is. */
	static String standardBase64(String text) {
		try {
			byte[] bytes = Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
			return Base64.getEncoder().encodeToString(bytes);
		}
		catch (IllegalArgumentException ex) {
			return text;
		}
	}

}
