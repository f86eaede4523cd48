package dev.agentsessions.web.part;

import java.io.IOException;
import java.nio.ByteBuffer;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.context.request.ServletWebRequest;

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

}
