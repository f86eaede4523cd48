package dev.agentsessions.web.part;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
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
record ByteRange(int first, int last) {

	private static final Pattern ONE = Pattern.compile("bytes *= *(\\d{0,18}) *- *(\\d{0,18})");

	/**
	 * Returns the range that a request asks for; {@code null} for the whole content.
	 * @param etag the entity tag of the content; a client with another tag gets the whole
	 * content
	 * @param length the size of the content in bytes
	 * @throws ErrorResponseException with status 416 if the range begins after the last
	 * byte
	 */
	static @Nullable ByteRange of(HttpServletRequest request, String etag, int length) {
		String range = request.getHeader(HttpHeaders.RANGE);
		String tag = request.getHeader(HttpHeaders.IF_RANGE);
		if (range == null || (tag != null && !tag.equals(etag)) || !HttpMethod.GET.matches(request.getMethod())) {
			return null;
		}
		Matcher one = ONE.matcher(range.strip());
		return one.matches() ? of(one.group(1), one.group(2), length) : null;
	}

	private static @Nullable ByteRange of(String first, String last, int length) {
		if (first.isEmpty()) {
			return last.isEmpty() ? null : between(length - Math.min(Long.parseLong(last), length), length - 1, length);
		}
		long end = last.isEmpty() ? Long.MAX_VALUE : Long.parseLong(last);
		return (end < Long.parseLong(first)) ? null : between(Long.parseLong(first), end, length);
	}

	private static ByteRange between(long first, long last, int length) {
		if (first >= length) {
			ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
					"Range must begin within the " + length + " bytes that there are");
			ErrorResponseException refusal = new ErrorResponseException(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
					problem, null);
			refusal.getHeaders().set(HttpHeaders.CONTENT_RANGE, "bytes */" + length);
			throw refusal;
		}
		return new ByteRange((int) first, (int) Math.min(last, length - 1L));
	}

	int length() {
		return this.last - this.first + 1;
	}

}
