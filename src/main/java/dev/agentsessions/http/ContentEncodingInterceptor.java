package dev.agentsessions.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.servlet.HandlerInterceptor;

/** Refuses compressed bodies: a few bytes could become any number. */
final class ContentEncodingInterceptor implements HandlerInterceptor {

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws HttpMediaTypeNotSupportedException {
		String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
		if (!isPlain(encoding)) {
			throw new HttpMediaTypeNotSupportedException("A body must be sent without Content-Encoding");
		}
		return true;
	}

	private static boolean isPlain(@Nullable String encoding) {
		return encoding == null || encoding.isBlank() || encoding.strip().equalsIgnoreCase("identity");
	}

}
