package dev.agentsessions.console.view;

import java.util.Set;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Secrets;

/**
 * Indents JSON without parsing it: only white space between tokens changes, and escapes
 * of characters that a reader can see. It stops at a maximum number of characters, at any
 * depth and length of the input.
 */
public final class IndentedJson {

	/** Deeper levels get no further indentation. */
	private static final int MAX_INDENT_LEVELS = 20;

	private final String json;

	private final int maxChars;

	private final boolean readable;

	private final StringBuilder lines = new StringBuilder();

	private int depth;

	private IndentedJson(String json, int maxChars, boolean readable) {
		this.json = json;
		this.maxChars = maxChars;
		this.readable = readable;
	}

	/**
	 * Returns the beginning of a value, indented and readable.
	 * @param maxChars the maximum number of characters
	 */
	public static TruncatedText of(JsonText json, int maxChars) {
		return new IndentedJson(Secrets.MASKED.of(json).text(), maxChars, true).write();
	}

	/**
	 * Returns the beginning of a value, indented, with its escapes.
	 * @param maxChars the maximum number of characters
	 */
	static TruncatedText asStored(JsonText json, int maxChars) {
		return new IndentedJson(Secrets.MASKED.of(json).text(), maxChars, false).write();
	}

	private TruncatedText write() {
		int next = 0;
		while (next < this.json.length() && this.lines.length() < this.maxChars) {
			next = write(next);
		}
		TruncatedText whole = TruncatedText.of(this.lines.toString(), this.maxChars);
		return new TruncatedText(whole.text(), whole.omittedChars() + this.json.length() - next);
	}

	/** Writes the token at an offset, and returns the offset after it. */
	private int write(int offset) {
		char character = this.json.charAt(offset);
		switch (character) {
			case '"' -> {
				return copyString(offset);
			}
			case '{', '[' -> {
				return open(offset);
			}
			case '}', ']' -> {
				this.depth--;
				newLine().append(character);
			}
			case ',' -> {
				this.lines.append(character);
				newLine();
			}
			case ':' -> this.lines.append(": ");
			case ' ', '\t', '\n', '\r' -> {
			}
			default -> this.lines.append(character);
		}
		return offset + 1;
	}

	/** Keeps an empty object or array on one line. */
	private int open(int offset) {
		int next = offset + 1;
		while (next < this.json.length() && Character.isWhitespace(this.json.charAt(next))) {
			next++;
		}
		this.lines.append(this.json.charAt(offset));
		if (next < this.json.length() && (this.json.charAt(next) == '}' || this.json.charAt(next) == ']')) {
			this.lines.append(this.json.charAt(next));
			return next + 1;
		}
		this.depth++;
		newLine();
		return next;
	}

	private int copyString(int start) {
		int end = start + 1;
		int last = (int) Math.min(this.json.length() - 1L, start + (long) this.maxChars);
		while (end < last && this.json.charAt(end) != '"') {
			end += (this.json.charAt(end) == '\\') ? 2 : 1;
		}
		end = Math.min(end, this.json.length() - 1);
		if (this.readable) {
			ReadableEscapes.append(this.json, start, end + 1, this.lines);
		}
		else {
			this.lines.append(this.json, start, end + 1);
		}
		return end + 1;
	}

	private StringBuilder newLine() {
		return this.lines.append('\n').append("  ".repeat(Math.max(0, Math.min(MAX_INDENT_LEVELS, this.depth))));
	}

	/**
	 * Replaces the escapes in a JSON string by the characters that they stand for.
	 * Escapes that JSON needs stay, and so do those of characters that a reader cannot
	 * see.
	 */
	public static final class ReadableEscapes {

		private static final int ESCAPE_CHARS = 6;

		private static final int HEX = 16;

		/** The characters that join others, as in emoji and in Persian. */
		private static final Set<Integer> JOINERS = Set.of(0x200c, 0x200d);

		private static final Set<Integer> UNSEEN = Set.of((int) Character.CONTROL, (int) Character.FORMAT,
				(int) Character.SURROGATE, (int) Character.PRIVATE_USE, (int) Character.UNASSIGNED,
				(int) Character.LINE_SEPARATOR, (int) Character.PARAGRAPH_SEPARATOR, (int) Character.SPACE_SEPARATOR);

		private ReadableEscapes() {
		}

		/** Appends a part of a JSON text, which may end within an escape. */
		public static void append(String json, int start, int end, StringBuilder target) {
			int next = start;
			while (next < end) {
				int plain = nextEscape(json, next, end);
				target.append(json, next, plain);
				next = (plain < end) ? appendEscape(json, plain, end, target) : end;
			}
		}

		/**
		 * Looks no further than the end of the part, because a JSON text has many parts.
		 */
		private static int nextEscape(String json, int start, int end) {
			int next = start;
			while (next < end && json.charAt(next) != '\\') {
				next++;
			}
			return next;
		}

		/** Appends the escape at an offset, and returns the offset after it. */
		private static int appendEscape(String json, int offset, int end, StringBuilder target) {
			int first = codeUnit(json, offset, end);
			int second = Character.isHighSurrogate((char) Math.max(first, 0))
					? codeUnit(json, offset + ESCAPE_CHARS, end) : -1;
			boolean pair = second >= 0 && Character.isLowSurrogate((char) second);
			int codePoint = pair ? Character.toCodePoint((char) first, (char) second) : first;
			int after = offset + (pair ? 2 * ESCAPE_CHARS : ESCAPE_CHARS);
			if (isReadable(codePoint)) {
				target.appendCodePoint(codePoint);
				return after;
			}
			after = Math.min(end, offset + 2);
			target.append(json, offset, after);
			return after;
		}

		/** Returns the code unit that is escaped at an offset; -1 if none is. */
		private static int codeUnit(String json, int offset, int end) {
			if (offset + ESCAPE_CHARS > end || json.charAt(offset) != '\\' || json.charAt(offset + 1) != 'u') {
				return -1;
			}
			return Integer.parseInt(json, offset + 2, offset + ESCAPE_CHARS, HEX);
		}

		private static boolean isReadable(int codePoint) {
			if (codePoint <= ' ' || codePoint == '"' || codePoint == '\\') {
				return false;
			}
			return JOINERS.contains(codePoint) || !UNSEEN.contains(Character.getType(codePoint));
		}

	}

}
