package dev.agentsessions.security;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.ExceptionHandlingConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.security.AuthenticationConfiguration.ApiKeyBearerTokenResolver;
import dev.agentsessions.security.RequestLog.AuditLines;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.ErrorResponder;

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

	/**
	 * Handles sign-in and sign-out of the console, and reads the key or token of a
	 * request from its cookie. It runs after the CSRF filter.
	 */
	static class SignInFilter extends OncePerRequestFilter {

		private static final String CREDENTIALS = SignInFilter.class.getName() + ".credentials";

		/**
		 * Matches only paths of the console, and no text that a browser takes for another
		 * host.
		 */
		private static final Pattern PAGE = Pattern.compile(ConsoleAccess.PATH + "([/?][!-~&&[^\\\\]]*)?");

		/** With such a step in its path, a browser would leave the console. */
		private static final Pattern STEP_UP = Pattern.compile("^[^?]*/(\\.|%2[eE]){1,2}([/?]|$)");

		private final AuthenticationManager authentication;

		private final CredentialCookie cookie;

		private final ApiAuthenticationEntryPoint failures;

		private final AddressRateLimiter addresses;

		private final ErrorResponder errors;

		private final AuditLines audit;

		SignInFilter(AuthenticationManager authentication, CredentialCookie cookie,
				ApiAuthenticationEntryPoint failures, AddressRateLimiter addresses, ErrorResponder errors,
				AuditLines audit) {
			this.authentication = authentication;
			this.cookie = cookie;
			this.failures = failures;
			this.addresses = addresses;
			this.errors = errors;
			this.audit = audit;
		}

		/**
		 * Returns the resolver of keys and tokens. A header takes precedence over the
		 * cookie, because a proxy may have set it.
		 */
		static BearerTokenResolver credentials() {
			BearerTokenResolver headers = new ApiKeyBearerTokenResolver();
			return (request) -> {
				String sent = headers.resolve(request);
				return (sent != null) ? sent : (String) request.getAttribute(CREDENTIALS);
			};
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			String path = request.getServletPath();
			boolean post = HttpMethod.POST.matches(request.getMethod());
			try {
				if (post && path.equals(ConsoleAccess.SIGN_IN)) {
					signIn(request, response);
					return;
				}
				if (post && path.equals(ConsoleAccess.SIGN_OUT)) {
					signOut(request, response);
					return;
				}
				if (!path.startsWith(ConsoleAccess.FILES)) {
					this.cookie.read(request)
						.ifPresent((credentials) -> request.setAttribute(CREDENTIALS, credentials));
				}
			}
			catch (SessionException ex) {
				this.errors.answer(request, response, ex);
				return;
			}
			chain.doFilter(request, response);
		}

		private void signIn(HttpServletRequest request, HttpServletResponse response) {
			String credentials = parameter(request, "credentials").map(String::strip).orElse("");
			try {
				checkLength(credentials);
				Authentication caller = this.authentication
					.authenticate(new BearerTokenAuthenticationToken(credentials));
				this.audit.add("console.sign-in", caller, Map.of());
				response.addHeader(HttpHeaders.SET_COOKIE, this.cookie.of(credentials, request).toString());
				redirect(page(parameter(request, "page").orElse(null)), request, response);
			}
			catch (AccessException.Unauthenticated ex) {
				if (isHeard(request, response)) {
					this.errors.answer(request, response, ex);
				}
			}
			catch (AuthenticationException ex) {
				if (isHeard(request, response)) {
					this.failures.onAuthenticationFailure(request, response, ex);
				}
			}
		}

		private static void checkLength(String credentials) {
			if (credentials.isEmpty()) {
				throw new AccessException.Unauthenticated("Type an API key, or paste a token");
			}
			if (credentials.length() > CredentialCookie.MAX_CREDENTIAL_CHARS) {
				throw new AccessException.Unauthenticated("The token is longer than a cookie can be (%d characters)"
					.formatted(CredentialCookie.MAX_CREDENTIAL_CHARS));
			}
		}

		/** The audit log has each refused sign-in, but for those that come too fast. */
		private boolean isHeard(HttpServletRequest request, HttpServletResponse response) {
			if (this.addresses.refuses(request, response)) {
				return false;
			}
			this.audit.add("console.sign-in-refused", null, Map.of());
			return true;
		}

		private void signOut(HttpServletRequest request, HttpServletResponse response) {
			if (this.cookie.signOut(request) || !this.addresses.refuses(request, response)) {
				response.addHeader(HttpHeaders.SET_COOKIE, CredentialCookie.none(request).toString());
				redirect(ConsoleAccess.PATH, request, response);
			}
		}

		private static Optional<String> parameter(HttpServletRequest request, String name) {
			try {
				return Optional.ofNullable(request.getParameter(name));
			}
			catch (InvalidParameterException ex) {
				return Optional.empty();
			}
		}

		/**
		 * Returns the page requested before the sign-in; the start page if it is not a
		 * page of the console.
		 */
		static String page(@Nullable String requested) {
			return (requested != null && PAGE.matcher(requested).matches() && !STEP_UP.matcher(requested).find())
					? requested : ConsoleAccess.PATH;
		}

		private static void redirect(String page, HttpServletRequest request, HttpServletResponse response) {
			response.setStatus(HttpStatus.SEE_OTHER.value());
			response.setHeader(HttpHeaders.LOCATION, request.getContextPath() + page);
		}

	}

}
