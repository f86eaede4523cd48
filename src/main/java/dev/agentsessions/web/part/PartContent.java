package dev.agentsessions.web.part;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

import dev.agentsessions.json.JsonSpan;
import dev.agentsessions.session.Sha256;

/**
 * The decoded data of a part and its media type.
 *
 * @param type the type that the sender has given, if it is the type of an image, audio,
 * video or a PDF; otherwise, or if the data is not Base64,
 * {@code application/octet-stream}
 * @param bytes the decoded data; the text itself if it is not Base64
 */
record PartContent(MediaType type, byte[] bytes) {

	/**
	 * Base64 characters that are decoded at once. A multiple of four, because each group
	 * of four characters is decoded on its own.
	 */
	private static final int CHUNK_CHARS = 1 << 16;

	private static final int BITS_PER_CHAR = 6;

	/**
	 * The types that may be used in a header. Wildcards and quoted values are not needed.
	 */
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

	/** Replaces types that a browser could run, or show as a page of this service. */
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
	 * Decodes either alphabet, with or without padding. Works in chunks, because the data
	 * may use most of the memory.
	 */
	private static byte[] decode(String text) {
		int end = text.endsWith("==") ? text.length() - 2 : text.endsWith("=") ? text.length() - 1 : text.length();
		byte[] bytes = new byte[(int) ((long) end * BITS_PER_CHAR / Byte.SIZE)];
		int done = 0;
		for (int start = 0; start < end; start += CHUNK_CHARS) {
			String chunk = text.substring(start, Math.min(start + CHUNK_CHARS, end));
			byte[] decoded = Base64.getDecoder().decode(chunk.replace('-', '+').replace('_', '/'));
			System.arraycopy(decoded, 0, bytes, done, decoded.length);
			done += decoded.length;
		}
		if (done != bytes.length) {
			throw new IllegalArgumentException("Padding in the middle");
		}
		return bytes;
	}

	/**
	 * Returns whether a browser may show the content inline: images, audio and video, but
	 * no XML formats such as SVG, which can contain scripts.
	 */
	boolean isShown() {
		return isShown(this.type);
	}

	private static boolean isShown(MediaType type) {
		String subtype = type.getSubtype();
		return SHOWN.contains(type.getType()) && !subtype.contains("xml") && !subtype.contains("svg");
	}

	/** Returns the strong entity tag, which depends on the bytes and on the type. */
	String etag() {
		MessageDigest digest = Sha256.begin();
		digest.update(this.type.toString().getBytes(StandardCharsets.UTF_8));
		return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest(this.bytes)) + '"';
	}

}
