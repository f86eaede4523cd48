package dev.agentsessions.security;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Logs who asked for what, and how it ended. The path carries the ids. Neither the query
 * nor headers nor bodies are logged, so no content, key or token ever is.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class RequestLog extends OncePerRequestFilter {

	private static final Logger log = LoggerFactory.getLogger(RequestLog.class);

	/** What could end a line or pretend to be another field. */
	private static final Pattern UNPRINTABLE = Pattern.compile("[^\\p{Graph}]");

	private final RequestAttributeSecurityContextRepository contexts = new RequestAttributeSecurityContextRepository();

	private final Callers callers;

	RequestLog(Callers callers) {
		this.callers = callers;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		return !log.isInfoEnabled();
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		long start = System.nanoTime();
		try {
			chain.doFilter(request, response);
		}
		finally {
			long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
			log.info("{} {} {} {}us {} {}", request.getMethod(), request.getRequestURI(), response.getStatus(), micros,
					callerName(request), request.getRequestId());
		}
	}

	private String callerName(HttpServletRequest request) {
		SecurityContext context = this.contexts.loadDeferredContext(request).get();
		String name = this.callers.of(context.getAuthentication()).map(Caller::name).orElse("-");
		return UNPRINTABLE.matcher(name).replaceAll("_");
	}

}
