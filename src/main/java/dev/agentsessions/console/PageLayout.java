package dev.agentsessions.console;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;

import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.AccessException;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.web.ConsoleAccess;

/**
 * The data of the header that each page has.
 *
 * @param base the context path of the service
 * @param caller the caller; blank if unknown
 * @param signedIn whether the caller can sign out
 * @param csrfToken the CSRF token; {@code null} on pages without a form
 * @param nonce allows the scripts and styles of the page in its content security policy
 */
record PageLayout(String base, String caller, boolean signedIn, @Nullable CsrfToken csrfToken, String nonce) {

	static PageLayout of(HttpServletRequest request, AccessPolicy access) {
		return new PageLayout(request.getContextPath(), caller(access), request.getUserPrincipal() != null,
				(CsrfToken) request.getAttribute(CsrfToken.class.getName()), ConsoleAccess.nonce(request));
	}

	/** Returns the name of the CSRF field of a form. */
	public String formName() {
		return (this.csrfToken != null) ? this.csrfToken.getParameterName() : "";
	}

	/**
	 * Returns the value of the CSRF field. Reading it also sets the cookie with the
	 * token.
	 */
	public String formToken() {
		return (this.csrfToken != null) ? this.csrfToken.getToken() : "";
	}

	private static String caller(AccessPolicy access) {
		try {
			return TruncatedText.of(access.caller(), TruncatedText.MAX_LINE_CHARS).text();
		}
		catch (AccessException.Unauthenticated ex) {
			return "";
		}
	}

}
