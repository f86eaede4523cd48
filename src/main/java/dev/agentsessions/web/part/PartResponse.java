package dev.agentsessions.web.part;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.context.request.ServletWebRequest;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.PartNotFoundException;

/**
 * Responds with the bytes of a part. Any writer of the session may have sent them, so a
 * browser may only show them as an image or play them as audio or video.
 */
public final class PartResponse {

	/**
	 * Events never change, but a later session may have the same name, and erased data
	 * should not stay in browsers for long: one day.
	 */
	private static final String CACHE_FOR_A_DAY = "private, max-age=86400, immutable";

	/**
	 * Other users of the same browser have other credentials, in any of these headers.
	 */
	private static final String CREDENTIALS = "Authorization, Cookie, x-goog-api-key";

	private PartResponse() {
	}

	/**
	 * Writes the response: the whole content, a range, or that the content has not
	 * changed.
	 * @param event the event with the part
	 * @param part the index of the part, from 0
	 * @throws PartNotFoundException if the part does not exist or has no data
	 * @throws IOException if the client has disconnected
	 */
	public static void write(Event event, int part, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		write(InlineData.of(event.body(), part).map(PartContent::of).orElseThrow(PartNotFoundException::new), request,
				response);
	}

	private static void write(PartContent part, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		String etag = part.etag();
		boolean unchanged = new ServletWebRequest(request, response).checkNotModified(etag);
		ByteRange range = unchanged ? null : ByteRange.of(request, etag, part.bytes().length);
		response.setHeader(HttpHeaders.CACHE_CONTROL, CACHE_FOR_A_DAY);
		response.addHeader(HttpHeaders.VARY, CREDENTIALS);
		if (!unchanged) {
			writeBytes(part, range, response);
		}
	}

	/**
	 * The bytes come first: if there is no memory for them, the error has no headers of
	 * the part.
	 */
	private static void writeBytes(PartContent part, @Nullable ByteRange range, HttpServletResponse response)
			throws IOException {
		ByteRange sent = (range != null) ? range : new ByteRange(0, part.bytes().length - 1);
		response.getOutputStream().write(part.bytes(), sent.first(), sent.length());
		response.setContentType(part.type().toString());
		response.setHeader(HttpHeaders.CONTENT_DISPOSITION, part.isShown() ? "inline" : "attachment");
		response.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
		response.setHeader("X-Content-Type-Options", "nosniff");
		response.setHeader("Cross-Origin-Resource-Policy", "same-site");
		response.setHeader(HttpHeaders.ACCEPT_RANGES, "bytes");
		if (range != null) {
			response.setStatus(HttpStatus.PARTIAL_CONTENT.value());
			response.setHeader(HttpHeaders.CONTENT_RANGE,
					"bytes %d-%d/%d".formatted(range.first(), range.last(), part.bytes().length));
		}
		response.setContentLength(sent.length());
	}

}
