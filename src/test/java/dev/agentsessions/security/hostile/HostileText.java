package dev.agentsessions.security.hostile;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Makes up what attackers and broken clients send; the same from the same seed. */
final class HostileText {

	private static final List<String> PIECES = List.of("'; drop table sessions; --", "' or '1'='1", "$1", "{}", "%s",
			"${jndi:ldap://x}", "<script>alert(1)</script>", "\u0000", "\uD800", "\uDC00", "\uFEFF", "\u202E", "\u2028",
			"..", ".", "/", "\\", ";x", "%2e%2e", "%00", "\r\nSet-Cookie: a=b", "\t", "\u0007", "app:", "user:",
			"temp:", "app:user:", "null", "true", "-0", "1e400", "NaN", "\"", "'", "`", "{user:name}", "e\u0301",
			"\u00e9", "\uFF41", "\u0130", "\uD83D\uDE00", "ADK_EVAL_", "x".repeat(600), "_", "*", "?", "#", "&", "=",
			"+", " ");

	private static final List<String> NUMBERS = List.of("0", "-0", "-1", "1e400", "-1e-400", "9".repeat(400),
			"9223372036854775808", "1.7976931348623159e308", "0." + "0".repeat(500) + "1", "1E+2147483648", "1e11",
			"253402300800", "-62135596801");

	private static final List<String> FIELDS = List.of("id", "author", "invocationId", "invocation_id", "timestamp",
			"partial", "actions", "stateDelta", "state_delta", "content", "state", "events", "sessionId", "displayName",
			"labels", "template", "ttl", "expireTime", "userId", "sessionState", "rawEvent", "eventMetadata", "name");

	private final Random random;

	HostileText(long seed) {
		this.random = new Random(seed);
	}

	<T> T oneOf(List<T> all) {
		return all.get(this.random.nextInt(all.size()));
	}

	boolean maybe(int percent) {
		return this.random.nextInt(100) < percent;
	}

	/** A text of up to three pieces. */
	String text() {
		StringBuilder text = new StringBuilder();
		for (int i = this.random.nextInt(3); i >= 0; i--) {
			text.append(oneOf(PIECES));
		}
		return text.toString();
	}

	/** A JSON value, mostly one that a field might have. */
	String json(int depth) {
		List<Supplier<String>> kinds = List.of(this::string, this::string, () -> oneOf(NUMBERS),
				() -> oneOf(List.of("null", "true", "false", "[]", "{}", "\"\"")), () -> object(depth - 1),
				() -> "[" + json(depth - 1) + "," + json(depth - 1) + "]");
		return (depth > 0) ? oneOf(kinds).get() : string();
	}

	/** A JSON object of known and made-up fields, some of them twice. */
	String object(int depth) {
		StringBuilder object = new StringBuilder("{");
		for (int i = this.random.nextInt(4); i >= 0; i--) {
			object.append(maybe(80) ? "\"" + oneOf(FIELDS) + "\"" : string()).append(':').append(json(depth));
			object.append((i > 0) ? "," : "");
		}
		return object.append('}').toString();
	}

	/** A body: an object, or one that was broken on its way. */
	String body() {
		String body = object(3);
		if (maybe(85)) {
			return body;
		}
		int cut = this.random.nextInt(body.length() + 1);
		return body.substring(0, cut) + oneOf(List.of("", "}", "[", "\"", "\uFEFF", "\u0000", ",", "{".repeat(1000)));
	}

	private String string() {
		StringBuilder string = new StringBuilder("\"");
		for (char character : text().toCharArray()) {
			boolean escaped = character < ' ' || character == '"' || character == '\\'
					|| Character.isSurrogate(character);
			string
				.append((escaped && maybe(95)) ? "\\u%04x".formatted((int) character) : Character.toString(character));
		}
		return string.append('"').toString();
	}

}
