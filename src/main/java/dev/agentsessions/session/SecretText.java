package dev.agentsessions.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Secrets.CredentialMask;

/**
 * Finds secrets in a text that is no JSON, by what is written before them or by their
 * form. One scan looks for the beginnings of {@link Sign signs}; a pattern is tried only
 * where one of them is found, so the work grows with the length of the text.
 */
final class SecretText {

	/**
	 * The names of secrets, words apart. A name can begin with other words, and its words
	 * can be written together.
	 */
	private static final List<String> NAMES = List.of("client secret", "app secret", "consumer secret",
			"signing secret", "shared secret", "webhook secret", "api secret", "secret key", "secret access key",
			"access token", "refresh token", "id token", "auth token", "api token", "bearer token", "session token",
			"api key", "password", "passwd", "passphrase", "private key", "private key id", "code verifier",
			"set cookie", "authorization");

	/** The last words of a name in small letters, with one sign between its words. */
	private static final Pattern NAME = Pattern
		.compile("(?:.*[^a-z0-9])?(?:" + String.join("|", NAMES).replace(" ", "_?") + ")s?", Pattern.DOTALL);

	private static final Pattern WORDS = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[ .-]");

	private static final int MAX_NAME_CHARS = 256;

	/**
	 * What comes between a name and its value, which may be quoted, also in JSON that is
	 * in a string. These words are no secret, and a nested value has names of its own.
	 */
	private static final String IS = "s?[\"'\\\\]{0,4}\\s{0,4}(?:=>|:=|=|:)\\s{0,4}(?:(\\\\{0,8}+[\"'])"
			+ "|(?!(?:null|none|nil|true|false|undefined)\\b|\\{|\\[(?!masked])))(?<secret>)";

	private static final String LINE_ENDS = "\r\n";

	private static final String ENDS_OF_WORD = "\"'\\,;&<>)}] \t\r\n\f";

	/** The scheme of a header, such as {@code Bearer}. */
	private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9-]{0,30}[ \\t]{1,4}+(?=[^\\s\"'\\\\,;])");

	/** A header with parameters, such as a signature. */
	private static final Pattern PARAMETERS = Pattern.compile(SCHEME + "[A-Za-z][A-Za-z0-9_-]{0,40}=[^=\\s]");

	/** Not in the middle of a word; escapes end with a letter. */
	private static final String BEGIN = "(?:(?<![0-9A-Za-z_])|(?<=%[0-9A-Fa-f]{2})|(?<=\\\\[nrt]))";

	private static final String DASHES = "-----";

	private static final Sign[] NO_SIGNS = {};

	/** By the small first letter. */
	private static final Sign[][] SIGNS = byFirstLetter();

	private final String text;

	private final StringBuilder shown = new StringBuilder();

	/** The offset after what is copied. */
	private int copied;

	private boolean masked;

	private SecretText(String text) {
		this.text = text;
	}

	/** Returns the text with masks in place of its secrets. */
	static String mask(String text) {
		return scan(text).result();
	}

	/** Returns whether a text has a mask where a secret would be. */
	static boolean hasMask(String text) {
		return text.contains(CredentialMask.MASK) && scan(text).masked;
	}

	/** Returns whether a part of a text may have a secret, also as JSON. */
	static boolean mayHaveSecrets(String text, int start, int end) {
		for (int i = start; i < end; i++) {
			if (text.charAt(i) == '\\' && text.startsWith("u00", i + 1)) {
				return true;
			}
			for (Sign sign : signsAt(text, i)) {
				if (sign.isAt(text, i)) {
					return true;
				}
			}
		}
		return false;
	}

	/** Returns whether the value of a member with this name is a secret. */
	static boolean isName(String name) {
		if (name.length() > MAX_NAME_CHARS) {
			return false;
		}
		return NAME.matcher(WORDS.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT)).matches();
	}

	private static SecretText scan(String text) {
		SecretText scan = new SecretText(text);
		int next = 0;
		while (next < text.length()) {
			next = scan.next(next);
		}
		return scan;
	}

	private int next(int offset) {
		for (Sign sign : signsAt(this.text, offset)) {
			Matcher found = sign.find(this.text, offset);
			if (found != null) {
				int start = found.start("secret");
				int end = sign.value().end(this.text, start, found);
				if (end > start) {
					replace(start, end);
					return end;
				}
			}
		}
		return offset + 1;
	}

	private void replace(int start, int end) {
		this.masked |= this.text.startsWith(CredentialMask.MASK, start);
		this.shown.append(this.text, this.copied, start).append(CredentialMask.MASK);
		this.copied = end;
	}

	private String result() {
		return (this.copied == 0) ? this.text
				: this.shown.append(this.text, this.copied, this.text.length()).toString();
	}

	private static Sign[] signsAt(String text, int offset) {
		int letter = text.charAt(offset) | ' ';
		return (letter < SIGNS.length) ? SIGNS[letter] : NO_SIGNS;
	}

	/** A value that is not quoted has no spaces. */
	private static int endOfValue(String text, int start, Matcher found) {
		return (found.group(1) != null) ? endOfQuoted(text, start, found.group(1)) : endOfWord(text, start);
	}

	/** A header has a scheme before its secret. */
	private static int endOfHeader(String text, int start, Matcher found) {
		if (found.group(1) != null) {
			return endOfQuoted(text, start, found.group(1));
		}
		if (PARAMETERS.matcher(text).region(start, text.length()).lookingAt()) {
			return endOf(text, start, LINE_ENDS);
		}
		Matcher scheme = SCHEME.matcher(text).region(start, text.length());
		return endOfWord(text, scheme.lookingAt() ? scheme.end() : start);
	}

	private static int endOfLine(String text, int start, Matcher found) {
		return (found.group(1) != null) ? endOfQuoted(text, start, found.group(1)) : endOf(text, start, "\r\n\"\\");
	}

	private static int endOfWord(String text, int start) {
		return text.startsWith(CredentialMask.MASK, start) ? start + CredentialMask.MASK.length()
				: endOf(text, start, ENDS_OF_WORD);
	}

	/** A text may be cut within the quotes. */
	private static int endOfQuoted(String text, int start, String quote) {
		int next = text.indexOf(quote, start);
		while (next > start && text.charAt(next - 1) == '\\') {
			next = text.indexOf(quote, next + 1);
		}
		return (next >= 0) ? next : endOf(text, start, LINE_ENDS);
	}

	private static int endOf(String text, int start, String ends) {
		int next = start;
		while (next < text.length() && ends.indexOf(text.charAt(next)) < 0) {
			next++;
		}
		return next;
	}

	/** A text may be cut within the key. */
	private static int endOfKey(String text, int start, Matcher found) {
		int last = text.indexOf(DASHES + "END", found.end());
		int end = (last < 0) ? -1 : text.indexOf(DASHES, last + DASHES.length());
		return (end < 0) ? text.length() : end + DASHES.length();
	}

	private static Sign[][] byFirstLetter() {
		List<Sign> signs = Stream.of(ofNames(), ofForms(), ofStructure()).flatMap(List::stream).toList();
		return IntStream.rangeClosed(0, 'z')
			.mapToObj((letter) -> signs.stream()
				.filter((sign) -> (sign.begin().charAt(0) | ' ') == letter)
				.toArray(Sign[]::new))
			.toArray(Sign[][]::new);
	}

	private static List<Sign> ofNames() {
		List<Sign> signs = new ArrayList<>();
		for (String name : NAMES) {
			String word = name.split(" ")[0];
			Value value = name.equals("authorization") ? SecretText::endOfHeader
					: name.equals("set cookie") ? SecretText::endOfLine : SecretText::endOfValue;
			signs.add(Sign.ofName(word, name.replace(" ", "[ _.-]?"), IS, value));
		}
		signs.add(Sign.ofName("cookie", "cookie",
				"[\"'\\\\]{0,4}\\s{0,4}:\\s{0,4}([\"'])?+(?=[^\\s=]{1,200}=)(?<secret>)", SecretText::endOfLine));
		signs.add(Sign.ofName("bearer", "bearer",
				"[ \\t]{1,4}+(?!(?:authentication|authorization|tokens?|schemes?|auth|credentials?)\\b(?![._~+/=-]))"
						+ "(?<secret>[A-Za-z0-9._~+/=-]{6,}+|\\[masked])",
				Value.WHOLE));
		return signs;
	}

	private static List<Sign> ofForms() {
		return List.of(Sign.ofForm("AIza", "[0-9A-Za-z_-]{10,}+"), Sign.ofForm("ya29.", "[0-9A-Za-z._-]{8,}+"),
				Sign.ofForm("1//0", "[0-9A-Za-z_-]{10,}+"), Sign.ofForm("GOCSPX-", "[0-9A-Za-z_-]{8,}+"),
				Sign.ofForm("sk-", "(?:(?=[A-Za-z_-]{0,60}[0-9])[0-9A-Za-z_-]{10,}+|[0-9A-Za-z_-]{20,}+)"),
				Sign.ofForm("sk_live_", "[0-9A-Za-z]{8,}+"), Sign.ofForm("ghp_", "[0-9A-Za-z]{10,}+"),
				Sign.ofForm("gho_", "[0-9A-Za-z]{10,}+"), Sign.ofForm("ghu_", "[0-9A-Za-z]{10,}+"),
				Sign.ofForm("ghs_", "[0-9A-Za-z]{10,}+"), Sign.ofForm("ghr_", "[0-9A-Za-z]{10,}+"),
				Sign.ofForm("github_pat_", "[0-9A-Za-z_]{10,}+"), Sign.ofForm("glpat-", "[0-9A-Za-z_-]{10,}+"),
				Sign.ofForm("xox", "[a-z]-[0-9A-Za-z-]{8,}+"), Sign.ofForm("AKIA", "[0-9A-Z]{12,}+"),
				Sign.ofForm("ASIA", "[0-9A-Z]{12,}+"),
				Sign.ofForm("eyJ", "(?<![-]eyJ)[0-9A-Za-z_-]{4,}+\\.[0-9A-Za-z_-]{4,}+\\.[0-9A-Za-z_-]*+"),
				new Sign(DASHES, null,
						Pattern.compile("(?<secret>-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----)"),
						SecretText::endOfKey));
	}

	/** Names of credentials, which {@link CredentialMask} looks at. */
	private static List<Sign> ofStructure() {
		return Stream
			.of("auth_?type", "auth_?config", "auth_?credential", "request_?credential", "token_?uri", "mime_?type")
			.map((name) -> new Sign(name.substring(0, 4), Pattern.compile(name, Pattern.CASE_INSENSITIVE), null,
					Value.WHOLE))
			.toList();
	}

	/**
	 * Something that shows a secret.
	 *
	 * @param begin its first characters, in any case
	 * @param hint what may show a secret in JSON; {@code null} for the pattern itself
	 * @param pattern finds the beginning of a secret; {@code null} if only JSON has it
	 * @param value finds the end of the secret
	 */
	private record Sign(String begin, @Nullable Pattern hint, @Nullable Pattern pattern, Value value) {

		static Sign ofName(String begin, String name, String rest, Value value) {
			// Words that end with the letters of an id are no ids
			String whole = name.startsWith("id") ? "(?-i:(?<![A-Za-z])id|ID|Id)" + name.substring(2) : name;
			return new Sign(begin, Pattern.compile(name, Pattern.CASE_INSENSITIVE),
					Pattern.compile(whole + rest, Pattern.CASE_INSENSITIVE), value);
		}

		static Sign ofForm(String begin, String rest) {
			return new Sign(begin, null, Pattern.compile(BEGIN + "(?<secret>" + Pattern.quote(begin) + rest + ")"),
					Value.WHOLE);
		}

		boolean isAt(String text, int offset) {
			return find((this.hint != null) ? this.hint : this.pattern, text, offset) != null;
		}

		@Nullable Matcher find(String text, int offset) {
			return find(this.pattern, text, offset);
		}

		/** The second character refuses almost all of a text. */
		private boolean begins(String text, int offset) {
			return offset + 1 < text.length() && (text.charAt(offset + 1) | ' ') == (this.begin.charAt(1) | ' ')
					&& text.regionMatches(true, offset, this.begin, 0, this.begin.length());
		}

		private @Nullable Matcher find(@Nullable Pattern wanted, String text, int offset) {
			if (wanted == null || !begins(text, offset)) {
				return null;
			}
			Matcher found = wanted.matcher(text).region(offset, text.length()).useTransparentBounds(true);
			return found.lookingAt() ? found : null;
		}

	}

	/** Finds the end of a secret. */
	@FunctionalInterface
	private interface Value {

		Value WHOLE = (text, start, found) -> found.end("secret");

		int end(String text, int start, Matcher found);

	}

}
