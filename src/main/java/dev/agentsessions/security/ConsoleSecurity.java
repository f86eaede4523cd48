package dev.agentsessions.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.ExceptionHandlingConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

import dev.agentsessions.session.AccessException;
import dev.agentsessions.web.ConsoleAccess;

/**
 * Configures the security rules of the console. Only forms of the console change data.
 * The browser loads files only from this service, and runs only the scripts and styles
 * that a page names by its nonce, because the data of a part is also a file of this
 * service.
 */
final class ConsoleSecurity {

	private static final String CONTENT_SECURITY_POLICY = "Content-Security-Policy";

	private static final String POLICY = "default-src 'self'; script-src 'nonce-%1$s'; style-src 'nonce-%1$s'; "
			+ "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

	/** Only a caller with this role is known and may see no page at all. */
	private static final String METRICS = "The role metrics reads /actuator/prometheus and /actuator/metrics, and "
			+ "no page of the console. Sign out, and sign in with a key or token of another role.";

	private ConsoleSecurity() {
	}

	/**
	 * Configures the CSRF token, which the browser sends in the form and in a cookie.
	 */
	static void forms(CsrfConfigurer<HttpSecurity> forms) {
		CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
		tokens.setCookieName("agent-sessions-form");
		tokens.setCookieCustomizer((cookie) -> cookie.sameSite("Strict"));
		forms.csrfTokenRepository(tokens);
	}

	/**
	 * Configures the response headers. The referrer policy is same-origin, because with
	 * no-referrer a browser sends the console's own forms with a null origin.
	 */
	static void headers(HeadersConfigurer<HttpSecurity> headers) {
		headers.addHeaderWriter(ConsoleSecurity::writePolicy)
			.referrerPolicy((policy) -> policy.policy(ReferrerPolicy.SAME_ORIGIN));
	}

	/**
	 * Adds the policy, unless the response has one: the data of a part has a stricter
	 * one.
	 */
	private static void writePolicy(HttpServletRequest request, HttpServletResponse response) {
		if (!response.containsHeader(CONTENT_SECURITY_POLICY)) {
			response.setHeader(CONTENT_SECURITY_POLICY, POLICY.formatted(ConsoleAccess.nonce(request)));
		}
	}

	/**
	 * Configures the responses to rejected requests. Unauthenticated visitors get the
	 * sign-in page.
	 */
	static void refusals(ExceptionHandlingConfigurer<HttpSecurity> refused, AddressRateLimiter addresses) {
		refused
			.authenticationEntryPoint((request, response, ex) -> addresses.refuse(request, response,
					new AccessException.Unauthenticated("Sign in to see this page")))
			.accessDeniedHandler((request, response, ex) -> addresses.refuse(request, response,
					(ex instanceof CsrfException)
							? new AccessException.Forbidden(
									"The form is out of date, or is not one of this page. Load the page again.")
							: new AccessException.Forbidden(METRICS)));
	}

}
