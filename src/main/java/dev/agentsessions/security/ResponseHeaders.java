package dev.agentsessions.security;

import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/**
 * Headers that keep browsers from doing what nobody wants, in addition to Spring
 * Security's own.
 */
final class ResponseHeaders {

	/** The only page here is Swagger UI, which sets styles and shows embedded images. */
	private static final String CONTENT_SECURITY_POLICY = "default-src 'self'; img-src 'self' data:; "
			+ "style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

	private ResponseHeaders() {
	}

	static void configure(HeadersConfigurer<HttpSecurity> headers) {
		headers.contentSecurityPolicy((policy) -> policy.policyDirectives(CONTENT_SECURITY_POLICY))
			.referrerPolicy((policy) -> policy.policy(ReferrerPolicy.NO_REFERRER));
	}

}
