package dev.agentsessions.console;

import dev.agentsessions.json.JsonText;

/**
 * Lays JSON out in lines for people, without parsing it: only spaces between tokens
 * change. It stops where enough is written, however deep and long the rest is.
 */
final class IndentedJson {

	/** What is nested deeper is not moved further to the right. */
	private static final int DEEPEST = 20;

	private final String json;

	private final int limit;

	private final StringBuilder lines = new StringBuilder();

	private int depth;

	private IndentedJson(String json, int limit) {
		this.json = json;
		this.limit = limit;
	}

	/**
	 * The beginning of a value, laid out.
	 * @param limit how many characters at most
	 */
	static TruncatedText of(JsonText json, int limit) {
		return new IndentedJson(json.text(), limit).write();
	}

	private TruncatedText write() {
		int next = 0;
		while (next < this.json.length() && this.lines.length() < this.limit) {
			next = write(next);
		}
		TruncatedText whole = TruncatedText.of(this.lines.toString(), this.limit);
		return new TruncatedText(whole.text(), whole.left() + this.json.length() - next);
	}

	/** Writes the token that begins somewhere, and says where it ends. */
	private int write(int at) {
		char character = this.json.charAt(at);
		switch (character) {
			case '"' -> {
				return copyString(at);
			}
			case '{', '[' -> {
				return open(at);
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
		return at + 1;
	}

	/** What is empty stays on its line. */
	private int open(int at) {
		int next = at + 1;
		while (next < this.json.length() && Character.isWhitespace(this.json.charAt(next))) {
			next++;
		}
		this.lines.append(this.json.charAt(at));
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
		int last = (int) Math.min(this.json.length() - 1L, start + (long) this.limit);
		while (end < last && this.json.charAt(end) != '"') {
			end += (this.json.charAt(end) == '\\') ? 2 : 1;
		}
		end = Math.min(end, this.json.length() - 1);
		this.lines.append(this.json, start, end + 1);
		return end + 1;
	}

	private StringBuilder newLine() {
		return this.lines.append('\n').append("  ".repeat(Math.max(0, Math.min(DEEPEST, this.depth))));
	}

}
