package dev.agentsessions.console.view;

import java.util.Set;

/**
 * Replaces the escapes in a JSON string by the characters that they stand for. Escapes
 * that JSON needs stay, and so do those of characters that a reader cannot see.
 */
public final class ReadableEscapes {

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

	/** Looks no further than the end of the part, because a JSON text has many parts. */
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
		int second = Character.isHighSurrogate((char) Math.max(first, 0)) ? codeUnit(json, offset + ESCAPE_CHARS, end)
				: -1;
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
