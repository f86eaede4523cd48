package dev.agentsessions.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/**
 * A value inside a text, identified by its offsets, so that a caller can find it in a
 * large text, and leave the rest as it was sent.
 *
 * @param whole a text with one well-formed JSON value, which is this value or contains it
 * @param start the offset of its first character
 * @param end the offset after its last character
 */
public record JsonSpan(String whole, int start, int end) {

	/** Returns the span of a whole value. */
	public static JsonSpan of(JsonText value) {
		JsonSpan span = value.span();
		return at(span.whole, skipSpaces(span.whole, span.start));
	}

	public boolean isObject() {
		return this.whole.charAt(this.start) == '{';
	}

	public boolean isArray() {
		return this.whole.charAt(this.start) == '[';
	}

	public boolean isString() {
		return this.whole.charAt(this.start) == '"';
	}

	public boolean isNull() {
		return this.whole.charAt(this.start) == 'n';
	}

	/**
	 * Returns the number of characters as they are written; those of a string include its
	 * quotes.
	 */
	public int length() {
		return this.end - this.start;
	}

	/** Returns whether the value has a character. */
	boolean has(char character) {
		int next = this.start;
		while (next < this.end && this.whole.charAt(next) != character) {
			next++;
		}
		return next < this.end;
	}

	/** Returns the value. */
	public JsonText toJson() {
		return new JsonText(this.whole, this.start, this.end);
	}

	/**
	 * Returns the only member of this object that has one of these names. Empty if there
	 * is no such member or more than one, or if this is not an object.
	 */
	public Optional<Member> only(Set<String> names) {
		List<Member> found = members(names);
		return (found.size() == 1) ? Optional.of(found.get(0)) : Optional.empty();
	}

	/** Returns whether this is an object with a member that has one of these names. */
	public boolean has(Set<String> names) {
		return !members(names).isEmpty();
	}

	private List<Member> members(Set<String> names) {
		List<Member> found = new ArrayList<>(1);
		if (isObject()) {
			forEachMember((member) -> {
				if (names.contains(member.name().toJson().stringOrText())) {
					found.add(member);
				}
			});
		}
		return found;
	}

	/** Visits the members of this object in order, repeated names included. */
	public void forEachMember(Consumer<Member> action) {
		int next = skipSpaces(this.whole, this.start + 1);
		while (this.whole.charAt(next) != '}') {
			JsonSpan name = at(this.whole, next);
			JsonSpan value = at(this.whole, offsetAfter(name, ':'));
			action.accept(new Member(name, value));
			next = offsetAfter(value, ',');
		}
	}

	/** Visits the elements of this array with their indexes from 0. */
	public void forEachElement(ObjIntConsumer<JsonSpan> action) {
		int next = skipSpaces(this.whole, this.start + 1);
		for (int index = 0; this.whole.charAt(next) != ']'; index++) {
			JsonSpan element = at(this.whole, next);
			action.accept(element, index);
			next = offsetAfter(element, ',');
		}
	}

	/** Returns the offset of what comes after a value and an optional separator. */
	private static int offsetAfter(JsonSpan value, char separator) {
		int next = skipSpaces(value.whole, value.end);
		return (value.whole.charAt(next) == separator) ? skipSpaces(value.whole, next + 1) : next;
	}

	private static JsonSpan at(String text, int start) {
		return new JsonSpan(text, start, switch (text.charAt(start)) {
			case '"' -> endOfString(text, start);
			case '{', '[' -> endOfNested(text, start);
			default -> endOfWord(text, start);
		});
	}

	private static int endOfNested(String text, int start) {
		int depth = 0;
		int next = start;
		do {
			char character = text.charAt(next);
			if (character == '{' || character == '[') {
				depth++;
			}
			else if (character == '}' || character == ']') {
				depth--;
			}
			next = (character == '"') ? endOfString(text, next) : next + 1;
		}
		while (depth > 0);
		return next;
	}

	private static int endOfString(String text, int start) {
		int quote = text.indexOf('"', start + 1);
		while (isEscaped(text, quote)) {
			quote = text.indexOf('"', quote + 1);
		}
		return quote + 1;
	}

	/** Two backslashes are an escaped backslash, which escapes nothing. */
	private static boolean isEscaped(String text, int quote) {
		int first = quote;
		while (text.charAt(first - 1) == '\\') {
			first--;
		}
		return (quote - first) % 2 == 1;
	}

	/** Finds the end of a number, {@code true}, {@code false} or {@code null}. */
	private static int endOfWord(String text, int start) {
		int next = start;
		while (next < text.length() && ",]}".indexOf(text.charAt(next)) < 0 && !isSpace(text.charAt(next))) {
			next++;
		}
		return next;
	}

	private static int skipSpaces(String text, int start) {
		int next = start;
		while (isSpace(text.charAt(next))) {
			next++;
		}
		return next;
	}

	private static boolean isSpace(char character) {
		return character == ' ' || character == '\t' || character == '\n' || character == '\r';
	}

	/**
	 * A member of an object.
	 *
	 * @param name its name, as it is written
	 * @param value its value
	 */
	public record Member(JsonSpan name, JsonSpan value) {

	}

	/** Replaces values and members of a JSON text and leaves the rest as it was sent. */
	public static final class JsonEdits {

		private final JsonSpan all;

		private final Map<Integer, Edit> edits = new TreeMap<>();

		public JsonEdits(JsonText json) {
			this.all = json.span();
		}

		/** Replaces a value or a name. */
		public void replace(JsonSpan span, String replacement) {
			this.edits.put(span.start(), new Edit(span.end(), replacement));
		}

		/** Replaces a member. */
		public void replace(JsonSpan.Member member, String name, String value) {
			this.edits.put(member.name().start(), new Edit(member.value().end(), name + ":" + value));
		}

		public boolean isEmpty() {
			return this.edits.isEmpty();
		}

		/** Returns the text with all edits. */
		public JsonText result() {
			StringBuilder changed = new StringBuilder(length());
			int next = this.all.start();
			for (Map.Entry<Integer, Edit> edit : this.edits.entrySet()) {
				changed.append(this.all.whole(), next, edit.getKey()).append(edit.getValue().replacement);
				next = edit.getValue().end;
			}
			return new JsonText(changed.append(this.all.whole(), next, this.all.end()).toString());
		}

		private int length() {
			return this.all.length() + this.edits.entrySet()
				.stream()
				.mapToInt((edit) -> edit.getValue().replacement.length() - (edit.getValue().end - edit.getKey()))
				.sum();
		}

		/**
		 * The replacement of a part of the text.
		 *
		 * @param end the offset after the replaced part
		 * @param replacement the new text
		 */
		private record Edit(int end, String replacement) {

		}

	}

}
