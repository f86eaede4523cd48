package dev.agentsessions.web.part;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

import dev.agentsessions.json.JsonSpan;

/**
 * The bytes of a part, and what they are.
 *
 * @param type what the sender calls them, if it is the type of a picture, a sound, a film
 * or a PDF; bytes of any kind if it is not, or if the data is no Base64
 * @param bytes what was encoded; the text itself if it is no Base64
 */
record PartContent(MediaType type, byte[] bytes) {

	/**
	 * Base64 that is decoded at once, in characters. Each group of four stands for
	 * itself.
	 */
	private static final int PIECE = 1 << 16;

	private static final int BITS_OF_CHARACTER = 6;

	/** What may stand in a header. Wildcards and quoted values have no use here. */
	private static final Pattern TYPE = Pattern
		.compile("[\\w!#$&^.+-]{1,127}/[\\w!#$&^.+-]{1,127}( ?; ?[\\w!#$&^.+-]{1,64}=[\\w!#$&^.+-]{1,64}){0,4}");

	private static final Set<String> SHOWN = Set.of("image", "audio", "video");

	private static final MediaType ANY_BYTES = MediaType.APPLICATION_OCTET_STREAM;

	/** Decodes the data of a part. */
	static PartContent of(InlineData data) {
		JsonSpan.Member member = data.data();
		String text = member.value().toJson().stringOrText();
		try {
			return new PartContent(type(data.mimeType()), decode(text));
		}
		catch (IllegalArgumentException ex) {
			return new PartContent(ANY_BYTES, text.getBytes(StandardCharsets.UTF_8));
		}
	}

	/**
	 * What a browser could run, or show as a page of this service, is sent as bytes of
	 * any kind.
	 */
	private static MediaType type(@Nullable String mimeType) {
		if (mimeType == null || !TYPE.matcher(mimeType).matches()) {
			return ANY_BYTES;
		}
		try {
			MediaType type = MediaType.parseMediaType(mimeType);
			return (isShown(type) || type.equalsTypeAndSubtype(MediaType.APPLICATION_PDF)) ? type : ANY_BYTES;
		}
		catch (InvalidMediaTypeException ex) {
			return ANY_BYTES;
		}
	}

	/**
	 * In either alphabet, with or without padding; piece by piece, as it may be most of
	 * the memory.
	 */
	private static byte[] decode(String text) {
		int end = text.endsWith("==") ? text.length() - 2 : text.endsWith("=") ? text.length() - 1 : text.length();
		byte[] bytes = new byte[(int) ((long) end * BITS_OF_CHARACTER / Byte.SIZE)];
		int done = 0;
		for (int start = 0; start < end; start += PIECE) {
			String piece = text.substring(start, Math.min(start + PIECE, end));
			byte[] decoded = Base64.getDecoder().decode(piece.replace('-', '+').replace('_', '/'));
			System.arraycopy(decoded, 0, bytes, done, decoded.length);
			done += decoded.length;
		}
		if (done != bytes.length) {
			throw new IllegalArgumentException("Padding in the middle");
		}
		return bytes;
	}

	/**
	 * Whether a browser may show it in place: pictures, sounds and films, but nothing in
	 * XML, as SVG is, which can have scripts in it.
	 */
	boolean isShown() {
		return isShown(this.type);
	}

	private static boolean isShown(MediaType type) {
		String subtype = type.getSubtype();
		return SHOWN.contains(type.getType()) && !subtype.contains("xml") && !subtype.contains("svg");
	}

	/** The strong entity tag: other bytes, or another type, have another one. */
	String etag() {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			digest.update(this.type.toString().getBytes(StandardCharsets.UTF_8));
			return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest(this.bytes)) + '"';
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

}
