package dev.agentsessions.json;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * The JSON type that a value must have, with the shapes of its known members and its
 * elements. A known member may be null, an element may not. Unknown members may be
 * anything.
 */
public final class JsonShape {

	/** Anything. */
	public static final JsonShape ANY = new JsonShape("", EnumSet.allOf(JsonToken.class));

	/** A string. */
	public static final JsonShape STRING = new JsonShape("must be a string", EnumSet.of(JsonToken.VALUE_STRING));

	/** True or false. */
	public static final JsonShape FLAG = new JsonShape("must be true or false",
			EnumSet.of(JsonToken.VALUE_TRUE, JsonToken.VALUE_FALSE));

	/** A number. */
	public static final JsonShape NUMBER = new JsonShape("must be a number",
			EnumSet.of(JsonToken.VALUE_NUMBER_INT, JsonToken.VALUE_NUMBER_FLOAT));

	/** A string in Base64, in either alphabet, with or without padding. */
	public static final JsonShape BASE64 = new JsonShape("must be a string in Base64", STRING.kinds, Map.of(), Set.of(),
			null, Base64Text::isCurrent);

	/** A whole number, however it is written. */
	public static final JsonShape WHOLE_NUMBER = new JsonShape("must be a whole number",
			EnumSet.of(JsonToken.VALUE_NUMBER_INT));

	/** An object with any members. */
	public static final JsonShape OBJECT = new JsonShape("must be a JSON object", EnumSet.of(JsonToken.START_OBJECT));

	/** An object with any members, or an array of any elements. */
	public static final JsonShape OBJECT_OR_ARRAY = new JsonShape("must be a JSON object or an array",
			EnumSet.of(JsonToken.START_OBJECT, JsonToken.START_ARRAY));

	private final String rule;

	private final Set<JsonToken> kinds;

	private final Map<String, JsonShape> members;

	/** The names of the members that must be there, in camelCase. */
	private final Set<String> required;

	/**
	 * The shape of elements, or of members that are not known; {@code null} for anything.
	 */
	private final @Nullable JsonShape others;

	/** Checks the content of a string or a number; {@code null} for anything. */
	private final @Nullable ContentCheck content;

	private JsonShape(String rule, Set<JsonToken> kinds) {
		this(rule, kinds, Map.of(), Set.of(), null, null);
	}

	private JsonShape(String rule, Set<JsonToken> kinds, Map<String, JsonShape> members, Set<String> required,
			@Nullable JsonShape others, @Nullable ContentCheck content) {
		this.rule = rule;
		this.kinds = kinds;
		this.members = Collections.unmodifiableMap(members);
		this.required = required;
		this.others = others;
		this.content = content;
	}

	/**
	 * Returns the shape of a value that has one of several shapes without members.
	 * @param rule what a value must be, for messages
	 */
	public static JsonShape anyOf(String rule, JsonShape... shapes) {
		Set<JsonToken> kinds = EnumSet.noneOf(JsonToken.class);
		JsonShape others = null;
		for (JsonShape shape : shapes) {
			kinds.addAll(shape.kinds);
			others = (shape.others != null) ? shape.others : others;
		}
		return new JsonShape(rule, kinds, Map.of(), Set.of(), others, null);
	}

	/** Returns this shape with a condition that strings have to meet. */
	public JsonShape where(Predicate<String> condition) {
		return new JsonShape(this.rule, this.kinds, this.members, this.required, this.others,
				(parser, text) -> !parser.hasToken(JsonToken.VALUE_STRING) || condition.test(parser.getString()));
	}

	/** Returns the shape of an array with elements of this shape. */
	public static JsonShape arrayOf(JsonShape elements) {
		return new JsonShape("must be an array", EnumSet.of(JsonToken.START_ARRAY), Map.of(), Set.of(), elements, null);
	}

	/** Returns the shape of an object with any names and with values of this shape. */
	public static JsonShape mapOf(JsonShape values) {
		return new JsonShape(OBJECT.rule, OBJECT.kinds, Map.of(), Set.of(), values, null);
	}

	/** Returns this shape with known members, whose names may also be in snake_case. */
	public JsonShape with(JsonShape shape, String... names) {
		Map<String, JsonShape> known = new LinkedHashMap<>(this.members);
		Arrays.stream(names).forEach((name) -> known.put(name, shape));
		FieldNames.bySnakeCase(names).keySet().forEach((name) -> known.put(name, shape));
		return new JsonShape(this.rule, this.kinds, known, this.required, this.others, null);
	}

	/** Returns this shape with known members that must be there and not be null. */
	public JsonShape requiring(String... names) {
		return new JsonShape(this.rule, this.kinds, this.members, Set.of(names), this.others, null);
	}

	/** Returns the shape of a member; {@link #ANY} if it is not known. */
	public JsonShape member(String name) {
		return this.members.getOrDefault(name, ANY);
	}

	/** Returns the shape of the elements of an array; {@code null} if this is none. */
	public @Nullable JsonShape elements() {
		return this.kinds.contains(JsonToken.START_ARRAY) ? this.others : null;
	}

	/** Returns the shape that names lead to, where an array leads to its elements. */
	public JsonShape at(String... path) {
		JsonShape shape = this;
		for (String name : path) {
			JsonShape member = shape.member(name);
			JsonShape elements = member.elements();
			shape = (elements != null) ? elements : member;
		}
		return shape;
	}

	/** Returns the names of the known members, in both spellings. */
	public Set<String> names() {
		return this.members.keySet();
	}

	/**
	 * Checks an object whose first level is parsed.
	 * @throws JsonException.InvalidShape if a value has another shape
	 */
	public void check(JsonObject object) {
		object.members().forEach((name, value) -> {
			JsonShape shape = member(name);
			if (shape != ANY && !value.isNull()) {
				shape.checkUnparsed(object.pathOf(name), value);
			}
		});
	}

	/** Parses the value only if there are rules for its members or elements. */
	private void checkUnparsed(String path, JsonText value) {
		if (!this.kinds.contains(value.kind())) {
			throw new JsonException.InvalidShape(path, this.rule);
		}
		if (hasRulesInside()) {
			check(path, value);
		}
	}

	private boolean hasRulesInside() {
		return this.others != null || !this.members.isEmpty() || this.content != null;
	}

	private void check(String path, JsonText value) {
		try (JsonParser parser = JsonReader.JSON.createParser(ObjectReadContext.empty(), value.text())) {
			parser.nextToken();
			check(path, parser, value.text());
		}
		catch (JacksonException ex) {
			throw JsonException.Malformed.of(ex);
		}
	}

	private void check(String path, JsonParser parser, String text) {
		JsonToken token = parser.currentToken();
		JsonToken kind = (token == JsonToken.VALUE_NUMBER_FLOAT) ? JsonNumbers.kind(parser.getString()) : token;
		if (!this.kinds.contains(kind) || this.content != null && !this.content.test(parser, text)) {
			throw new JsonException.InvalidShape(path, this.rule);
		}
		if (!hasRulesInside()) {
			parser.skipChildren();
		}
		else if (kind == JsonToken.START_OBJECT) {
			checkMembers(path, parser, text);
		}
		else if (kind == JsonToken.START_ARRAY) {
			checkElements(path, parser, text, (this.others != null) ? this.others : ANY);
		}
	}

	private void checkMembers(String path, JsonParser parser, String text) {
		Set<String> found = new HashSet<>(this.required.size());
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = parser.currentName();
			JsonShape known = this.members.get(name);
			JsonShape shape = (known != null) ? known : this.others;
			boolean absent = parser.nextToken() == JsonToken.VALUE_NULL && known != null;
			if (shape == null || absent) {
				parser.skipChildren();
			}
			else {
				String camelCase = (known != null) ? FieldNames.toCamelCase(name) : name;
				shape.check(path + "." + camelCase, parser, text);
				if (this.required.contains(camelCase)) {
					found.add(camelCase);
				}
			}
		}
		for (String name : this.required) {
			if (!found.contains(name)) {
				throw new JsonException.InvalidShape(path + "." + name, "is required");
			}
		}
	}

	private static void checkElements(String path, JsonParser parser, String text, JsonShape shape) {
		for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
			shape.check(path + "[" + index + "]", parser, text);
		}
	}

	/** Checks the content of the value at which a parser is. */
	interface ContentCheck {

		/**
		 * Checks the content.
		 * @param text the text that the parser reads
		 */
		boolean test(JsonParser parser, String text);

	}

	/**
	 * Tells whether a JSON string is Base64, in either alphabet, with or without padding.
	 * It looks at the text as it was sent, because the data of a part may use most of the
	 * memory.
	 */
	private static final class Base64Text {

		private static final int GROUP = 4;

		private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

		private Base64Text() {
		}

		/** Whether the string at which a parser is, is Base64. */
		static boolean isCurrent(JsonParser parser, String text) {
			int start = (int) parser.currentTokenLocation().getCharOffset() + 1;
			int end = endOfCharacters(text, start);
			return (text.charAt(end) == '\\') ? isComplete(parser.getString() + '"', 0) : isComplete(text, start);
		}

		/** Whether all characters up to the quote are Base64. */
		private static boolean isComplete(String text, int start) {
			int end = endOfCharacters(text, start);
			int rest = (end - start) % GROUP;
			int padding = 0;
			while (text.charAt(end + padding) == '=') {
				padding++;
			}
			return text.charAt(end + padding) == '"' && rest != 1
					&& (padding == 0 || rest > 0 && rest + padding == GROUP)
					&& (rest == 0 || hasNoUnusedBits(text.charAt(end - 1), rest));
		}

		/** Returns the offset after the last character; all are of one alphabet. */
		private static int endOfCharacters(String text, int start) {
			String others = "";
			for (int end = start;; end++) {
				char character = text.charAt(end);
				if (!isLetter(character)) {
					String alphabet = (character == '+' || character == '/') ? "+/"
							: (character == '-' || character == '_') ? "-_" : "";
					if (alphabet.isEmpty() || !others.isEmpty() && !others.equals(alphabet)) {
						return end;
					}
					others = alphabet;
				}
			}
		}

		private static boolean isLetter(char character) {
			return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z'
					|| character >= '0' && character <= '9';
		}

		/** The last character of an incomplete group has bits that belong to no byte. */
		private static boolean hasNoUnusedBits(char last, int rest) {
			int value = isLetter(last) ? LETTERS.indexOf(last) : (last == '+' || last == '-') ? 62 : 63;
			return (value & ((rest == 2) ? 15 : 3)) == 0;
		}

	}

}
