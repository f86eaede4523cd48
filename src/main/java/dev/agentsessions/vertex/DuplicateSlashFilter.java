package dev.agentsessions.vertex;

import java.io.IOException;
import java.util.regex.Pattern;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Collapses consecutive slashes in the paths of this dialect, because ADK Java sends two
 * if its base URL ends with a slash, and before a context path, which Spring MVC would
 * not find. It runs before all filters that decide by the path.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 50)
class DuplicateSlashFilter extends OncePerRequestFilter {

	private static final Pattern SLASHES = Pattern.compile("/{2,}");

	private final VertexDialect dialect;

	DuplicateSlashFilter(VertexDialect dialect) {
		this.dialect = dialect;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		String path = request.getRequestURI();
		String context = collapsed(request.getContextPath());
		return !path.contains("//") || !(path.startsWith("//") && !context.isEmpty()
				|| this.dialect.owns(collapsed(path).substring(context.length())));
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		chain.doFilter(new Collapsed(request), response);
	}

	private static String collapsed(String path) {
		return SLASHES.matcher(path).replaceAll("/");
	}

	private static final class Collapsed extends HttpServletRequestWrapper {

		Collapsed(HttpServletRequest request) {
			super(request);
		}

		@Override
		public String getRequestURI() {
			return collapsed(super.getRequestURI());
		}

		@Override
		public String getContextPath() {
			return collapsed(super.getContextPath());
		}

	}

}
