package dev.agentsessions.web;

import java.io.IOException;

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
 * Puts the id of a request into its response and into each line that is logged during the
 * request.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class RequestIdFilter implements Filter {

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
