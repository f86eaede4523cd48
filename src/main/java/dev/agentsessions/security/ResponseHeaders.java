package dev.agentsessions.security;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer.CacheControlConfig;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer.FrameOptionsConfig;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer.XXssConfig;
import org.springframework.security.web.header.HeaderWriter;
import org.springframework.security.web.header.writers.CacheControlHeadersWriter;
import org.springframework.security.web.header.writers.CompositeHeaderWriter;
import org.springframework.security.web.header.writers.ContentSecurityPolicyHeaderWriter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.header.writers.StaticHeadersWriter;
import org.springframework.security.web.header.writers.frameoptions.XFrameOptionsHeaderWriter;

/**
 * Configures the security headers of responses. Every response forbids browsers to guess
 * its type, so JSON is never a page, and needs no headers for pages.
 */
final class ResponseHeaders {

	/** For Swagger UI, which sets styles and shows embedded images. */
	private static final String CONTENT_SECURITY_POLICY = "default-src 'self'; img-src 'self' data:; "
			+ "style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

	private static final HeaderWriter JSON_HEADERS = new StaticHeadersWriter("Cache-Control", "no-store");

	private static final HeaderWriter OTHER_HEADERS = new CompositeHeaderWriter(List.of(new CacheControlHeadersWriter(),
			new XFrameOptionsHeaderWriter(), new ContentSecurityPolicyHeaderWriter(CONTENT_SECURITY_POLICY),
			new ReferrerPolicyHeaderWriter(ReferrerPolicy.NO_REFERRER)));

	private ResponseHeaders() {
	}

	static void configure(HeadersConfigurer<HttpSecurity> headers) {
		headers.cacheControl(CacheControlConfig::disable)
			.frameOptions(FrameOptionsConfig::disable)
			.xssProtection(XXssConfig::disable)
			.addHeaderWriter(ResponseHeaders::write);
	}

	private static void write(HttpServletRequest request, HttpServletResponse response) {
		(isJson(response) ? JSON_HEADERS : OTHER_HEADERS).writeHeaders(request, response);
	}

	private static boolean isJson(HttpServletResponse response) {
		String type = response.getContentType();
		return type != null && (type.startsWith("application/json") || type.startsWith("application/problem+json"));
	}

}
