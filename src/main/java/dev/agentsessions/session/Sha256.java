package dev.agentsessions.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Digests with SHA-256. */
public final class Sha256 {

	private Sha256() {
	}

	/** Returns the digest of a text in UTF-8. */
	public static byte[] of(String text) {
		return of(text.getBytes(StandardCharsets.UTF_8));
	}

	/** Returns the digest of bytes. */
	public static byte[] of(byte[] bytes) {
		return begin().digest(bytes);
	}

	/** Returns a digest of nothing, to add bytes to. */
	public static MessageDigest begin() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

}
