package dev.agentsessions.web;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRange;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.context.request.ServletWebRequest;

import dev.agentsessions.json.JsonSpan;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.web.FileResponse.FileContent;
import dev.agentsessions.web.FileResponse.SafeType;
import dev.agentsessions.web.InlineDataStripper.InlineData;

/**
 * Responds with bytes that a client has stored. Any writer may have sent them, so a
 * browser may only show them as an image or play them as audio or video.
 */
public final class FileResponse {

	/**
	 * The caching of a version of an artifact: a name that was deleted and saved again
	 * has the same numbers again.
	 */
	public static final String ASK_ALWAYS = "private, no-cache";

	/**
	 * Other users of the same browser have other credentials, in any of these headers.
	 */
	private static final String CREDENTIALS = "Authorization, Cookie, x-goog-api-key";

	private FileResponse() {
	}

	/**
	 * Writes the response: the whole content, a range, or that the content has not
	 * changed.
	 * @param caching the header {@code Cache-Control}
	 * @throws IOException if the client has disconnected
	 */
	public static void write(FileContent content, String caching, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		boolean unchanged = new ServletWebRequest(request, response).checkNotModified(content.etag());
		ByteRange range = unchanged ? null : ByteRange.of(request, content.etag(), content.length());
		response.setHeader(HttpHeaders.CACHE_CONTROL, caching);
		response.addHeader(HttpHeaders.VARY, CREDENTIALS);
		if (!unchanged) {
			writeBytes(content, range, response);
		}
	}

	/**
	 * The first bytes come first: if they cannot be read, or there is no memory for them,
	 * the error has no headers of the file.
	 */
	private static void writeBytes(FileContent content, @Nullable ByteRange range, HttpServletResponse response)
			throws IOException {
		ByteRange sent = (range != null) ? range : new ByteRange(0, content.length() - 1);
		long next = writeBlock(content, sent.first(), sent.last(), response);
		setHeaders(content, range, sent, response);
		while (next <= sent.last()) {
			next = writeBlock(content, next, sent.last(), response);
		}
	}

	private static long writeBlock(FileContent content, long first, long last, HttpServletResponse response)
			throws IOException {
		if (first > last) {
			return first;
		}
		ByteBuffer block = content.blocks().apply(first);
		int count = (int) Math.min(block.remaining(), last - first + 1);
		response.getOutputStream().write(block.array(), block.arrayOffset() + block.position(), count);
		return first + count;
	}

	private static void setHeaders(FileContent content, @Nullable ByteRange range, ByteRange sent,
			HttpServletResponse response) {
		response.setContentType(content.type().toString());
		response.setHeader(HttpHeaders.CONTENT_DISPOSITION, SafeType.isShown(content.type()) ? "inline" : "attachment");
		response.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
		response.setHeader("X-Content-Type-Options", "nosniff");
		response.setHeader("Cross-Origin-Resource-Policy", "same-site");
		response.setHeader(HttpHeaders.ACCEPT_RANGES, "bytes");
		if (range != null) {
			response.setStatus(HttpStatus.PARTIAL_CONTENT.value());
			response.setHeader(HttpHeaders.CONTENT_RANGE,
					"bytes %d-%d/%d".formatted(range.first(), range.last(), content.length()));
		}
		response.setContentLengthLong(sent.length());
	}

	/**
	 * A range of the bytes of a response. Source: RFC 9110, section 14. A request for
	 * several ranges or for an invalid range gets the whole content.
	 *
	 * @param first the index of the first byte, from 0
	 * @param last the index of the last byte
	 */
	private record ByteRange(long first, long last) {

		/**
		 * Returns the range that a request asks for; {@code null} for the whole content.
		 * @param etag the entity tag of the content; a client with another tag gets the
		 * whole content
		 * @param length the size of the content in bytes
		 * @throws ErrorResponseException with status 416 if the range begins after the
		 * last byte
		 */
		static @Nullable ByteRange of(HttpServletRequest request, String etag, long length) {
			String range = request.getHeader(HttpHeaders.RANGE);
			String tag = request.getHeader(HttpHeaders.IF_RANGE);
			if (range == null || (tag != null && !tag.equals(etag)) || !HttpMethod.GET.matches(request.getMethod())) {
				return null;
			}
			List<HttpRange> ranges = parse(range);
			return (ranges.size() == 1) ? of(ranges.get(0), length) : null;
		}

		/** Returns no range if the header is invalid. */
		private static List<HttpRange> parse(String range) {
			try {
				return HttpRange.parseRanges(range.replace(" ", ""));
			}
			catch (IllegalArgumentException ex) {
				return List.of();
			}
		}

		private static ByteRange of(HttpRange range, long length) {
			long first = range.getRangeStart(length);
			if (first >= length) {
				ErrorResponseException refusal = BodyReader.problem(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
						"Range must begin within the " + length + " bytes that there are", null);
				refusal.getHeaders().set(HttpHeaders.CONTENT_RANGE, "bytes */" + length);
				throw refusal;
			}
			return new ByteRange(first, range.getRangeEnd(length));
		}

		long length() {
			return this.last - this.first + 1;
		}

	}

	/**
	 * Bytes that a client has stored, to be served as a file.
	 *
	 * @param type the media type of the response, a {@link SafeType}
	 * @param length the number of bytes
	 * @param etag the strong entity tag
	 * @param blocks reads the bytes from an index on: at least one of them, as many as
	 * are in memory at once. When it is called again, the block before has been written
	 */
	public record FileContent(MediaType type, long length, String etag, LongFunction<ByteBuffer> blocks) {
	}

	/**
	 * The media types with which the service serves what clients have stored: a browser
	 * must not run it, nor show it as a page of this service.
	 */
	public static final class SafeType {

		/**
		 * The types that may be used in a header. Wildcards and quoted values are not
		 * needed.
		 */
		private static final Pattern TYPE = Pattern
			.compile("[\\w!#$&^.+-]{1,127}/[\\w!#$&^.+-]{1,127}( ?; ?[\\w!#$&^.+-]{1,64}=[\\w!#$&^.+-]{1,64}){0,4}");

		private static final Set<String> SHOWN = Set.of("image", "audio", "video");

		static final MediaType ANY_BYTES = MediaType.APPLICATION_OCTET_STREAM;

		private SafeType() {
		}

		/**
		 * Returns the type that a client has given, if it is the type of an image, audio,
		 * video or a PDF; otherwise {@code application/octet-stream}.
		 */
		public static MediaType of(@Nullable String mimeType) {
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
		 * Returns whether a browser may show the content inline: images, audio and video,
		 * but no XML formats such as SVG, which can contain scripts.
		 */
		public static boolean isShown(MediaType type) {
			String subtype = type.getSubtype();
			return SHOWN.contains(type.getType()) && !subtype.contains("xml") && !subtype.contains("svg");
		}

	}

	/** Responds with the bytes of a part. */
	public static final class PartResponse {

		/**
		 * Events never change, but a later session may have the same name, and erased
		 * data should not stay in browsers for long: one day.
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
			 * Base64 characters that are decoded at once. A multiple of four, because
			 * each group of four characters is decoded on its own.
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
			 * Decodes either alphabet, with or without padding. Works in chunks, because
			 * the data may use most of the memory.
			 */
			private static byte[] decode(String text) {
				int end = text.endsWith("==") ? text.length() - 2
						: text.endsWith("=") ? text.length() - 1 : text.length();
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

			/**
			 * Returns the strong entity tag, which depends on the bytes and on the type.
			 */
			private String etag() {
				MessageDigest digest = Sha256.begin();
				digest.update(this.type.toString().getBytes(StandardCharsets.UTF_8));
				return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest(this.bytes)) + '"';
			}

		}

	}

}
