package dev.agentsessions.web.body;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.MediaType;

import dev.agentsessions.json.JsonSpan;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.web.body.FileResponse.FileContent;
import dev.agentsessions.web.body.FileResponse.SafeType;
import dev.agentsessions.web.body.InlineDataStripper.InlineData;

/** Responds with the bytes of a part. */
public final class PartResponse {

	/**
	 * Events never change, but a later session may have the same name, and erased data
	 * should not stay in browsers for long: one day.
	 */
	private static final String CACHE_FOR_A_DAY = "private, max-age=86400, immutable";

	private PartResponse() {
	}

	/**
	 * Writes the response: the whole content, a range, or that the content has not
	 * changed.
	 * @param event the event with the part
	 * @param part the index of the part, from 0
	 * @throws SessionException.PartNotFound if the part does not exist or has no data
	 * @throws IOException if the client has disconnected
	 */
	public static void write(Event event, int part, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		PartContent content = InlineData.of(event.body(), part)
			.map(PartContent::of)
			.orElseThrow(SessionException.PartNotFound::new);
		FileResponse.write(content.toFile(), CACHE_FOR_A_DAY, request, response);
	}

	/**
	 * The decoded data of a part and its media type.
	 *
	 * @param type the {@link SafeType} for the type that the sender has given;
	 * {@code application/octet-stream} if the data is not Base64
	 * @param bytes the decoded data; the text itself if it is not Base64
	 */
	private record PartContent(MediaType type, byte[] bytes) {

		/**
		 * Base64 characters that are decoded at once. A multiple of four, because each
		 * group of four characters is decoded on its own.
		 */
		private static final int CHUNK_CHARS = 1 << 16;

		private static final int BITS_PER_CHAR = 6;

		/** Decodes the data of a part. */
		static PartContent of(InlineData data) {
			JsonSpan.Member member = data.data();
			String text = member.value().toJson().stringOrText();
			try {
				return new PartContent(SafeType.of(data.mimeType()), decode(text));
			}
			catch (IllegalArgumentException ex) {
				return new PartContent(SafeType.ANY_BYTES, text.getBytes(StandardCharsets.UTF_8));
			}
		}

		/**
		 * Decodes either alphabet, with or without padding. Works in chunks, because the
		 * data may use most of the memory.
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

		FileContent toFile() {
			return new FileContent(this.type, this.bytes.length, etag(),
					(first) -> ByteBuffer.wrap(this.bytes, (int) first, this.bytes.length - (int) first));
		}

		/** Returns the strong entity tag, which depends on the bytes and on the type. */
		private String etag() {
			MessageDigest digest = Sha256.begin();
			digest.update(this.type.toString().getBytes(StandardCharsets.UTF_8));
			return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest(this.bytes)) + '"';
		}

	}

}
