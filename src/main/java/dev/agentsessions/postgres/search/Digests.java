package dev.agentsessions.postgres.search;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.agentsessions.search.text.TextAnalysis;

/** Digests of what was said. */
final class Digests {

	private static final Pattern NO_WORD = Pattern.compile("[\\p{P}\\p{Z}\\p{C}]+");

	private Digests() {
	}

	/**
	 * Returns a number that is the same for texts that differ only in case, spaces and
	 * punctuation. It does not depend on the language, so it stays the same when the
	 * session is indexed anew.
	 */
	static long ofText(String text) {
		String begin = text.substring(0, Math.min(text.length(), TextAnalysis.MAX_CHARS));
		String plain = Normalizer.normalize(begin, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
		return sha256(NO_WORD.matcher(plain).replaceAll("")).getLong();
	}

	private static ByteBuffer sha256(String text) {
		try {
			return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
