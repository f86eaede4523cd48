package dev.agentsessions.web;

import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * The id of a request, which identifies it for the caller, in the response and in the
 * log. It is the value of the header {@value #HEADER}, if that has 1 to 128 of the
 * characters A to Z, a to z, 0 to 9, dot, underscore and hyphen. Otherwise the service
 * generates an id.
 */
public final class RequestId {

	/** The header of a request and of its response. */
	public static final String HEADER = "X-Request-Id";

	/** The name of the id in problems and in the log. */
	public static final String NAME = "requestId";

	private static final String ATTRIBUTE = RequestId.class.getName();

	private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9._-]{1,128}");

	/**
	 * A prefix that is unique to this process. Random numbers for each request would cost
	 * more.
	 */
	private static final String PROCESS_PREFIX = UUID.randomUUID().toString().substring(24) + "-";

	private static final AtomicLong REQUESTS = new AtomicLong();

	private RequestId() {
	}

	/** Returns the id of a request. It does not change while the request lasts. */
	public static String of(HttpServletRequest request) {
		if (request.getAttribute(ATTRIBUTE) instanceof String known) {
			return known;
		}
		String sent = request.getHeader(HEADER);
		String id = (sent != null && WELL_FORMED.matcher(sent).matches()) ? sent
				: PROCESS_PREFIX + Long.toString(REQUESTS.incrementAndGet(), 36);
		request.setAttribute(ATTRIBUTE, id);
		return id;
	}

	/**
	 * Puts the id of a request into its response and into each line that is logged during
	 * the request.
	 */
	@Component
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class IdFilter implements Filter {

		@Override
		public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			String id = RequestId.of((HttpServletRequest) request);
			((HttpServletResponse) response).setHeader(RequestId.HEADER, id);
			MDC.put(RequestId.NAME, id);
			try {
				chain.doFilter(request, response);
			}
			finally {
				MDC.remove(RequestId.NAME);
			}
		}

	}

}
