package dev.agentsessions.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/**
 * A value inside of a text, known by its place there. Nothing is copied before somebody
 * asks for it: so a value is found in a large text, and all around it can stay as it was
 * sent, in no more memory than the text has.
 *
 * @param whole a text with one well-formed JSON value, which is this one or has it in it
 * @param start the place of its first character
 * @param end the place behind its last character
 */
public record JsonSpan(String whole, int start, int end) {

	/** A value as a whole. */
	public static JsonSpan of(JsonText value) {
		return at(value.text(), skipSpaces(value.text(), 0));
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
	 * How many characters it has as it is written; those of a string with its quotes.
	 */
	public int length() {
		return this.end - this.start;
	}

	/** A copy of it. */
	public JsonText toJson() {
		return new JsonText(this.whole.substring(this.start, this.end));
	}

	/**
	 * The only member of this object that has one of these names. Empty if there is none
	 * or more than one, and if this is no object.
	 */
	public Optional<Member> only(Set<String> names) {
		List<Member> found = members(names);
		return (found.size() == 1) ? Optional.of(found.get(0)) : Optional.empty();
	}

	/** Whether this is an object that has a member with one of these names. */
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

	/** Goes through the members of this object, in their order, repeated names too. */
	public void forEachMember(Consumer<Member> action) {
		int next = skipSpaces(this.whole, this.start + 1);
		while (this.whole.charAt(next) != '}') {
			JsonSpan name = at(this.whole, next);
			JsonSpan value = at(this.whole, behind(name, ':'));
			action.accept(new Member(name, value));
			next = behind(value, ',');
		}
	}

	/** Goes through the elements of this array, each with its place from 0. */
	public void forEachElement(ObjIntConsumer<JsonSpan> action) {
		int next = skipSpaces(this.whole, this.start + 1);
		for (int place = 0; this.whole.charAt(next) != ']'; place++) {
			JsonSpan element = at(this.whole, next);
			action.accept(element, place);
			next = behind(element, ',');
		}
	}

	/** Where something follows after a value and, if it is there, a separator. */
	private static int behind(JsonSpan value, char separator) {
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

	/** Two backslashes are one that escapes nothing. */
	private static boolean isEscaped(String text, int quote) {
		int first = quote;
		while (text.charAt(first - 1) == '\\') {
			first--;
		}
		return (quote - first) % 2 == 1;
	}

	/** A number, {@code true}, {@code false} or {@code null}. */
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

}
