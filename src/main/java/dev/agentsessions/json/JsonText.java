package dev.agentsessions.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.jackson.JacksonComponent;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/**
 * A JSON value as the text in which it was sent. It is never parsed and written again, so
 * long numbers, escapes and the order of keys stay unchanged.
 *
 * <p>
 * A value within a larger text is a slice of it, and a value that is {@linkplain #of made
 * of others} is not written before its text is needed. So neither copies anything. Both
 * keep the larger texts in memory, so a cache stores {@linkplain #text() texts}.
 */
public final class JsonText {

	/** The JSON {@code null}. */
	public static final JsonText NULL = new JsonText("null");

	/** The JSON {@code true}. */
	public static final JsonText TRUE = new JsonText("true");

	private final String source;

	private final int start;

	private final int end;

	/** The members or the elements, if the value is not written yet. */
	private final @Nullable JsonObject members;

	private final @Nullable List<JsonText> elements;

	/**
	 * Creates a value.
	 * @param text one well-formed JSON value
	 */
	public JsonText(String text) {
		this(text, 0, text.length());
	}

	JsonText(String source, int start, int end) {
		this(source, start, end, null, null);
	}

	private JsonText(String source, int start, int end, @Nullable JsonObject members,
			@Nullable List<JsonText> elements) {
		this.source = source;
		this.start = start;
		this.end = end;
		this.members = members;
		this.elements = elements;
	}

	/** Returns an object that is not written yet. */
	static JsonText of(JsonObject object) {
		return new JsonText("{", 0, 1, object, null);
	}

	/** Returns an array that is not written yet. */
	public static JsonText of(List<JsonText> elements) {
		return new JsonText("[", 0, 1, null, elements);
	}

	/**
	 * Returns the text. If the value is a slice of a larger text or not written yet, each
	 * call makes a new copy.
	 */
	public String text() {
		if (isWritten()) {
			return this.source.substring(this.start, this.end);
		}
		StringBuilder json = new StringBuilder(length());
		write(json::append);
		return json.toString();
	}

	private boolean isWritten() {
		return this.members == null && this.elements == null;
	}

	/** Returns the members, if this is an object that is not written yet. */
	@Nullable Map<String, JsonText> unwrittenMembers() {
		return (this.members != null) ? this.members.members() : null;
	}

	/** Returns the elements, if this is an array that is not written yet. */
	@Nullable List<JsonText> unwrittenElements() {
		return this.elements;
	}

	/** Returns the number of characters. */
	public int length() {
		if (isWritten()) {
			return this.end - this.start;
		}
		AtomicInteger length = new AtomicInteger();
		write((text, from, to) -> length.addAndGet(to - from));
		return length.get();
	}

	/** Returns where the value is in its text. */
	JsonSpan span() {
		return isWritten() ? new JsonSpan(this.source, this.start, this.end) : new JsonText(text()).span();
	}

	/** Returns whether the whole text matches a pattern. */
	public boolean matches(Pattern pattern) {
		JsonSpan span = span();
		return pattern.matcher(span.whole()).region(span.start(), span.end()).matches();
	}

	/**
	 * Writes the text without a copy.
	 * @throws UncheckedIOException if the writer fails
	 */
	public void writeTo(Writer out) {
		write((text, from, to) -> {
			try {
				out.write(text, from, to - from);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	/** Writes the text in pieces of larger texts. */
	void write(Pieces out) {
		if (this.members != null) {
			this.members.write(out);
		}
		else if (this.elements != null) {
			String separator = "[";
			for (JsonText element : this.elements) {
				out.write(separator);
				element.write(out);
				separator = ",";
			}
			out.write(this.elements.isEmpty() ? "[]" : "]");
		}
		else {
			out.write(this.source, this.start, this.end);
		}
	}

	/** Returns the number of characters of keys and values. */
	public static long size(Map<String, JsonText> values) {
		return values.entrySet()
			.stream()
			.mapToLong((entry) -> entry.getKey().length() + entry.getValue().length())
			.sum();
	}

	/** Returns the length in UTF-8 bytes. */
	public int bytes() {
		JsonSpan span = span();
		int bytes = 0;
		for (int index = span.start(); index < span.end(); index++) {
			char character = span.whole().charAt(index);
			// Each of the two characters of a surrogate pair stands for two bytes
			bytes += (character < 0x80) ? 1 : (character < 0x800 || Character.isSurrogate(character)) ? 2 : 3;
		}
		return bytes;
	}

	public boolean isNull() {
		return startsWith('n');
	}

	public boolean isObject() {
		return startsWith('{');
	}

	public boolean isArray() {
		return startsWith('[');
	}

	public boolean isString() {
		return startsWith('"');
	}

	private boolean startsWith(char first) {
		return this.start < this.end && this.source.charAt(this.start) == first;
	}

	/** Returns the first token of the value. */
	JsonToken kind() {
		return switch (this.source.charAt(this.start)) {
			case '{' -> JsonToken.START_OBJECT;
			case '[' -> JsonToken.START_ARRAY;
			case '"' -> JsonToken.VALUE_STRING;
			case 't' -> JsonToken.VALUE_TRUE;
			case 'f' -> JsonToken.VALUE_FALSE;
			case 'n' -> JsonToken.VALUE_NULL;
			default -> JsonNumbers.kind(text());
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
		return JsonReader.string(this);
	}

	/** Returns the content of a string, or the text of any other value. */
	public String stringOrText() {
		return isString() ? JsonReader.string(this) : text();
	}

	/**
	 * Returns a count.
	 * @param field the name of the value, for messages
	 * @throws JsonException.InvalidShape if it is not a whole number, negative, or has
	 * more than 18 digits
	 */
	public long wholeNumber(String field) {
		Long number = JsonNumbers.whole(text());
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
		return JsonReader.elements(field, this);
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
		return new JsonText("{\"value\":" + text() + "}");
	}

	/** Values are equal if their texts are. */
	@Override
	public boolean equals(@Nullable Object other) {
		if (this == other || !(other instanceof JsonText value) || !value.startsWith(this.source.charAt(this.start))) {
			return this == other;
		}
		JsonSpan own = span();
		JsonSpan others = value.span();
		return own.length() == others.length()
				&& own.whole().regionMatches(own.start(), others.whole(), others.start(), own.length());
	}

	@Override
	public int hashCode() {
		return text().hashCode();
	}

	@Override
	public String toString() {
		return text();
	}

	/** Receives a text in pieces, each of them a part of a larger text. */
	@FunctionalInterface
	interface Pieces {

		void write(String text, int start, int end);

		default void write(String text) {
			write(text, 0, text.length());
		}

	}

	/** Writes a JSON value as the text in which it was sent. */
	@JacksonComponent
	static class JsonTextSerializer extends ValueSerializer<JsonText> {

		/** From this length on, a text is encoded in parts, which takes less memory. */
		private static final int LONG_TEXT_CHARS = 1 << 16;

		@Override
		public void serialize(JsonText value, JsonGenerator json, SerializationContext context) {
			if (value.length() < LONG_TEXT_CHARS) {
				json.writeRawValue(new EncodedText(value.text()));
			}
			else {
				json.writeRawValue("");
				value.write((text, from, to) -> json.writeRaw(text, from, to - from));
			}
		}

		/**
		 * Encodes a text with Java, several times as fast as Jackson's encoding of single
		 * characters.
		 */
		private static final class EncodedText extends SerializedString {

			EncodedText(String text) {
				super(text);
				this._unquotedUTF8Ref = text.getBytes(StandardCharsets.UTF_8);
			}

		}

	}

}
