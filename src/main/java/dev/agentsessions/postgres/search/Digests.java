package dev.agentsessions.postgres.search;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.stream.Collectors;

import dev.agentsessions.search.text.Word;

/** Digests of what was said. */
final class Digests {

	private Digests() {
	}

	/** Returns a number that is the same for texts with the same words. */
	static long ofWords(List<Word> words) {
		return sha256(words.stream().map(Word::term).collect(Collectors.joining("\n"))).getLong();
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
