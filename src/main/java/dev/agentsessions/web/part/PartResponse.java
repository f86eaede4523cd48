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
 * Answers with the bytes of a part. They come from whoever wrote to the session, so a
 * browser may not do anything with them but show a picture or play a sound.
 */
public final class PartResponse {

	/**
	 * Events never change, but a session of the same name may come after this one, and
	 * what is erased should not stay in browsers for long: a day.
	 */
	private static final String KEPT = "private, max-age=86400, immutable";

	/** Whoever else uses this browser has other credentials, wherever they stand. */
	private static final String CREDENTIALS = "Authorization, Cookie, x-goog-api-key";

	private PartResponse() {
	}

	/**
	 * Writes the answer: all of it, a range, or that it has not changed.
	 * @param event the event that the part is in
	 * @param part the place of the part, from 0
	 * @throws PartNotFoundException if there is no such part, or it has no data
	 * @throws IOException if the client has gone
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
		response.setHeader(HttpHeaders.CACHE_CONTROL, KEPT);
		response.addHeader(HttpHeaders.VARY, CREDENTIALS);
		if (!unchanged) {
			writeBytes(part, range, response);
		}
	}

	private static void writeBytes(PartContent part, @Nullable ByteRange range, HttpServletResponse response)
			throws IOException {
		response.setContentType(part.type().toString());
		response.setHeader(HttpHeaders.CONTENT_DISPOSITION, part.isShown() ? "inline" : "attachment");
		response.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
		response.setHeader("X-Content-Type-Options", "nosniff");
		response.setHeader("Cross-Origin-Resource-Policy", "same-site");
		response.setHeader(HttpHeaders.ACCEPT_RANGES, "bytes");
		ByteRange sent = (range != null) ? range : new ByteRange(0, part.bytes().length - 1);
		if (range != null) {
			response.setStatus(HttpStatus.PARTIAL_CONTENT.value());
			response.setHeader(HttpHeaders.CONTENT_RANGE,
					"bytes %d-%d/%d".formatted(range.first(), range.last(), part.bytes().length));
		}
		response.setContentLength(sent.length());
		response.getOutputStream().write(part.bytes(), sent.first(), sent.length());
	}

}
