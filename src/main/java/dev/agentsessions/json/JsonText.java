package dev.agentsessions.json;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * A JSON value as the text in which it was sent. Nothing is parsed and written again, so
 * long numbers, escapes and the order of keys stay what they were.
 *
 * @param text one well-formed JSON value
 */
public record JsonText(String text) {

	/** The JSON {@code null}. */
	public static final JsonText NULL = new JsonText("null");

	private static final Pattern WHOLE_NUMBER = Pattern.compile("-?\\d+");

	/** How many bytes it has in UTF-8. */
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

	/** The token that it is, or begins with. */
	JsonToken kind() {
		return switch (this.text.charAt(0)) {
			case '{' -> JsonToken.START_OBJECT;
			case '[' -> JsonToken.START_ARRAY;
			case '"' -> JsonToken.VALUE_STRING;
			case 't' -> JsonToken.VALUE_TRUE;
			case 'f' -> JsonToken.VALUE_FALSE;
			case 'n' -> JsonToken.VALUE_NULL;
			default ->
				WHOLE_NUMBER.matcher(this.text).matches() ? JsonToken.VALUE_NUMBER_INT : JsonToken.VALUE_NUMBER_FLOAT;
		};
	}

	/**
	 * What a string says.
	 * @param field what the value is, for messages
	 * @throws JsonException.InvalidShape if it is no string
	 */
	public String string(String field) {
		if (!isString()) {
			throw new JsonException.InvalidShape(field, "must be a string");
		}
		return JsonReader.string(this.text);
	}

	/** What a string says; the text of any other value. */
	public String stringOrText() {
		return isString() ? JsonReader.string(this.text) : this.text;
	}

	/**
	 * A number that counts something.
	 * @param field what the value is, for messages
	 * @throws JsonException.InvalidShape if it is no whole number, negative, or has more
	 * than 18 digits
	 */
	public long wholeNumber(String field) {
		if (!this.text.matches("\\d{1,18}")) {
			throw new JsonException.InvalidShape(field, "must be a whole number, not negative and not too large");
		}
		return Long.parseLong(this.text);
	}

	/**
	 * The elements of an array.
	 * @param field what the value is, for messages
	 * @throws JsonException.InvalidShape if it is no array
	 */
	public List<JsonText> elements(String field) {
		return JsonReader.elements(field, this.text);
	}

	/**
	 * Whether this object means the same as another one. Spaces and the order of names do
	 * not count, numbers are compared by value, whatever their size; of members with one
	 * name the last one counts.
	 * @param without a member that does not count, {@code null} if all do
	 */
	public boolean meansSameAs(JsonText other, @Nullable String without) {
		return Arrays.equals(JsonDigest.of(this, without), JsonDigest.of(other, without));
	}

	@Override
	public String toString() {
		return this.text;
	}

}
