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
import dev.agentsessions.web.ErrorResponder;

/**
 * What is different where people look at pages: only our own forms change anything, and a
 * browser shows nothing but what this service serves as a file, and runs nothing but what
 * a page of the console itself asks for: the data of a part is a file of this service as
 * well.
 */
final class ConsoleSecurity {

	private static final String CONTENT_SECURITY_POLICY = "Content-Security-Policy";

	private static final String POLICY = "default-src 'self'; script-src 'nonce-%1$s'; style-src 'nonce-%1$s'; "
			+ "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

	private ConsoleSecurity() {
	}

	/** A form has a secret that the browser has got in a cookie, too. */
	static void forms(CsrfConfigurer<HttpSecurity> forms) {
		CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
		tokens.setCookieName("agent-sessions-form");
		tokens.setCookieCustomizer((cookie) -> cookie.sameSite("Strict"));
		forms.csrfTokenRepository(tokens);
	}

	/**
	 * A browser that is to send no referrer says of its own forms, too, that they come
	 * from nowhere.
	 */
	static void headers(HeadersConfigurer<HttpSecurity> headers) {
		headers.addHeaderWriter(ConsoleSecurity::writePolicy)
			.referrerPolicy((policy) -> policy.policy(ReferrerPolicy.SAME_ORIGIN));
	}

	/** The data of a part has a stricter one. */
	private static void writePolicy(HttpServletRequest request, HttpServletResponse response) {
		if (!response.containsHeader(CONTENT_SECURITY_POLICY)) {
			response.setHeader(CONTENT_SECURITY_POLICY, POLICY.formatted(ConsoleAccess.nonce(request)));
		}
	}

	/** Who is not known is asked who they are. */
	static void refusals(ExceptionHandlingConfigurer<HttpSecurity> refused, ErrorResponder errors) {
		refused
			.authenticationEntryPoint((request, response, ex) -> errors.answer(request, response,
					new AccessException.Unauthenticated("Sign in to see this page")))
			.accessDeniedHandler((request, response, ex) -> errors.answer(request, response,
					new AccessException.Forbidden((ex instanceof CsrfException)
							? "The form is out of date, or is not one of this page. Load the page again."
							: "Your role does not permit this")));
	}

}
