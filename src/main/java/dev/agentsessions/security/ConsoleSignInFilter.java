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
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.session.AccessException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.ErrorResponder;

/**
 * Handles sign-in and sign-out of the console, and reads the key or token of a request
 * from its cookie. It runs after the CSRF filter.
 */
class ConsoleSignInFilter extends OncePerRequestFilter {

	private static final String CREDENTIALS = ConsoleSignInFilter.class.getName() + ".credentials";

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

	ConsoleSignInFilter(AuthenticationManager authentication, CredentialCookie cookie,
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
	 * Returns the resolver of keys and tokens. A header takes precedence over the cookie,
	 * because a proxy may have set it.
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
				this.cookie.read(request).ifPresent((credentials) -> request.setAttribute(CREDENTIALS, credentials));
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
			Authentication caller = this.authentication.authenticate(new BearerTokenAuthenticationToken(credentials));
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
	 * Returns the page requested before the sign-in; the start page if it is not a page
	 * of the console.
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
