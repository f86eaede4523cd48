package dev.agentsessions.json;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * A JSON value as the text in which it was sent. It is never parsed and written again, so
 * long numbers, escapes and the order of keys stay unchanged.
 *
 * @param text one well-formed JSON value
 */
public record JsonText(String text) {

	/** The JSON {@code null}. */
	public static final JsonText NULL = new JsonText("null");

	/** Returns the number of characters of keys and values. */
	public static long size(Map<String, JsonText> values) {
		return values.entrySet()
			.stream()
			.mapToLong((entry) -> entry.getKey().length() + entry.getValue().text().length())
			.sum();
	}

	/** Returns the length in UTF-8 bytes. */
	public int bytes() {
		int bytes = 0;
		for (int index = 0; index < this.text.length(); index++) {
			char character = this.text.charAt(index);
			// Each of the two characters of a surrogate pair stands for two bytes
			bytes += (character < 0x80) ? 1 : (character < 0x800 || Character.isSurrogate(character)) ? 2 : 3;
		}
		return bytes;
	}

	public boolean isNull() {
		return NULL.equals(this);
	}

	public boolean isObject() {
		return this.text.startsWith("{");
	}

	public boolean isArray() {
		return this.text.startsWith("[");
	}

	public boolean isString() {
		return this.text.startsWith("\"");
	}

	/** Returns the first token of the value. */
	JsonToken kind() {
		return switch (this.text.charAt(0)) {
			case '{' -> JsonToken.START_OBJECT;
			case '[' -> JsonToken.START_ARRAY;
			case '"' -> JsonToken.VALUE_STRING;
			case 't' -> JsonToken.VALUE_TRUE;
			case 'f' -> JsonToken.VALUE_FALSE;
			case 'n' -> JsonToken.VALUE_NULL;
			default -> JsonNumbers.kind(this.text);
		};
	}

	/**
	 * Returns the content of a string.
	 * @param field the name of the value, for messages
	 * @throws JsonException.InvalidShape if it is not a string
	 */
	public String string(String field) {
		if (!isString()) {
			throw new JsonException.InvalidShape(field, "must be a string");
		}
		return JsonReader.string(this.text);
	}

	/** Returns the content of a string, or the text of any other value. */
	public String stringOrText() {
		return isString() ? JsonReader.string(this.text) : this.text;
	}

	/**
	 * Returns a count.
	 * @param field the name of the value, for messages
	 * @throws JsonException.InvalidShape if it is not a whole number, negative, or has
	 * more than 18 digits
	 */
	public long wholeNumber(String field) {
		Long number = JsonNumbers.whole(this.text);
		if (number == null || number < 0) {
			throw new JsonException.InvalidShape(field, "must be a whole number, not negative and not too large");
		}
		return number;
	}

	/**
	 * Returns the elements of an array.
	 * @param field the name of the value, for messages
	 * @throws JsonException.InvalidShape if it is not an array
	 */
	public List<JsonText> elements(String field) {
		return JsonReader.elements(field, this.text);
	}

	/**
	 * Returns the elements of an array of strings.
	 * @param field the name of the value, for messages
	 * @throws JsonException.InvalidShape if it is not an array, or an element is not a
	 * string
	 */
	public List<String> strings(String field) {
		return elements(field).stream().map((element) -> element.string(field)).toList();
	}

	/**
	 * Returns whether this object means the same as another one. Spaces and the order of
	 * names do not count. Numbers are compared by value, whatever their size. Of members
	 * with the same name, the last one counts.
	 */
	public boolean meansSameAs(JsonText other) {
		return Arrays.equals(digest(), other.digest());
	}

	/**
	 * Returns a SHA-256 digest, after one more byte, that all objects have that
	 * {@linkplain #meansSameAs mean the same}.
	 */
	public byte[] digest() {
		return JsonDigest.of(this);
	}

	/**
	 * Returns whether this value, of any kind, means the same as another one.
	 * @param other the other value; {@code null} for none
	 */
	public boolean isSameValueAs(@Nullable JsonText other) {
		return other != null && (equals(other) || inObject().meansSameAs(other.inObject()));
	}

	/** Objects are compared by meaning, so the value becomes a member of one. */
	private JsonText inObject() {
		return new JsonText("{\"value\":" + this.text + "}");
	}

	@Override
	public String toString() {
		return this.text;
	}

}
