package dev.agentsessions.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

import dev.agentsessions.session.SessionException;

/**
 * Where the next page of a list begins, as an opaque text. It belongs to one query and is
 * refused with any other. It grants nothing: whoever made one up would only begin
 * somewhere else in a list that he may read.
 */
public final class PageToken {

	private static final String SEPARATOR = "\n";

	private static final int FINGERPRINT_BYTES = 8;

	private PageToken() {
	}

	/**
	 * Makes a token.
	 * @param query what tells the query from others; the size of a page does not
	 * @param position the place of the last item, without control characters
	 */
	public static String of(Object query, String... position) {
		String text = fingerprint(query) + SEPARATOR + String.join(SEPARATOR, position);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Reads a token.
	 * @return the place of the last item, with so many parts
	 * @throws SessionException.InvalidArgument if it is no token, or that of another
	 * query
	 */
	public static List<String> position(String token, Object query, int parts) {
		List<String> text = Arrays.asList(decode(token).split(SEPARATOR, -1));
		if (text.size() != parts + 1) {
			throw invalid("is not a page token");
		}
		if (!text.get(0).equals(fingerprint(query))) {
			throw invalid("belongs to another query");
		}
		return text.subList(1, text.size());
	}

	/**
	 * Reads a number of a position.
	 * @throws SessionException.InvalidArgument if it is none
	 */
	public static long number(String part) {
		try {
			return Long.parseLong(part);
		}
		catch (NumberFormatException ex) {
			throw invalid("is not a page token");
		}
	}

	private static String decode(String token) {
		try {
			return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("is not a page token");
		}
	}

	private static SessionException.InvalidArgument invalid(String rule) {
		return new SessionException.InvalidArgument("pageToken", rule);
	}

	private static String fingerprint(Object query) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256")
				.digest(query.toString().getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, FINGERPRINT_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
