package dev.agentsessions.web;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.servlet.http.HttpServletRequest;

/**
 * The id of a request, by which its caller, its answer and the log call it. It is what
 * the caller sends as {@value #HEADER}, if that has 1 to 128 of the characters A to Z, a
 * to z, 0 to 9, dot, underscore and hyphen. Otherwise it is made here.
 */
public final class RequestId {

	/** The header of a request and of its answer. */
	public static final String HEADER = "X-Request-Id";

	/** The name of the id in problems, and in the log. */
	public static final String NAME = "requestId";

	private static final String ATTRIBUTE = RequestId.class.getName();

	private static final int MOST_CHARACTERS = 128;

	/** What no other process has. To draw random numbers for each request costs more. */
	private static final String PROCESS = UUID.randomUUID().toString().substring(24) + "-";

	private static final AtomicLong REQUESTS = new AtomicLong();

	private RequestId() {
	}

	/** The id of a request. It stays the same for as long as the request lasts. */
	public static String of(HttpServletRequest request) {
		if (request.getAttribute(ATTRIBUTE) instanceof String known) {
			return known;
		}
		String sent = request.getHeader(HEADER);
		String id = (sent != null && isWellFormed(sent)) ? sent
				: PROCESS + Long.toString(REQUESTS.incrementAndGet(), 36);
		request.setAttribute(ATTRIBUTE, id);
		return id;
	}

	private static boolean isWellFormed(String id) {
		if (id.isEmpty() || id.length() > MOST_CHARACTERS) {
			return false;
		}
		for (int i = 0; i < id.length(); i++) {
			if (!isAllowed(id.charAt(i))) {
				return false;
			}
		}
		return true;
	}

	private static boolean isAllowed(char c) {
		return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_'
				|| c == '.';
	}

}
