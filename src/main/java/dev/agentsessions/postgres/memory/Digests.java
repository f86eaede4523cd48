package dev.agentsessions.postgres.memory;

import java.nio.ByteBuffer;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.session.Sha256;

/** Digests of texts. */
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
		return ByteBuffer.wrap(Sha256.of(NO_WORD.matcher(plain).replaceAll(""))).getLong();
	}

}
