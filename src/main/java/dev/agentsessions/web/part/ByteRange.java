package dev.agentsessions.web.part;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRange;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * A range of the bytes of a response. Source: RFC 9110, section 14. A request for several
 * ranges or for an invalid range gets the whole content.
 *
 * @param first the index of the first byte, from 0
 * @param last the index of the last byte
 */
record ByteRange(long first, long last) {

	/**
	 * Returns the range that a request asks for; {@code null} for the whole content.
	 * @param etag the entity tag of the content; a client with another tag gets the whole
	 * content
	 * @param length the size of the content in bytes
	 * @throws ErrorResponseException with status 416 if the range begins after the last
	 * byte
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
			ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
					"Range must begin within the " + length + " bytes that there are");
			ErrorResponseException refusal = new ErrorResponseException(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
					problem, null);
			refusal.getHeaders().set(HttpHeaders.CONTENT_RANGE, "bytes */" + length);
			throw refusal;
		}
		return new ByteRange(first, range.getRangeEnd(length));
	}

	long length() {
		return this.last - this.first + 1;
	}

}
