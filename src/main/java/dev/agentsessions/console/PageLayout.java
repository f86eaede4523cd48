package dev.agentsessions.console;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;

import dev.agentsessions.session.AccessException;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.web.ConsoleAccess;

/**
 * What stands around each page.
 *
 * @param base the address of the service, as far as it is the same everywhere
 * @param caller who looks; blank if nobody knows
 * @param signedIn whether they can sign out
 * @param form makes a form ours; {@code null} where none is sent
 * @param nonce tells the browser which scripts and styles are the page's own
 */
record PageLayout(String base, String caller, boolean signedIn, @Nullable CsrfToken form, String nonce) {

	static PageLayout of(HttpServletRequest request, AccessPolicy access) {
		return new PageLayout(request.getContextPath(), caller(access), request.getUserPrincipal() != null,
				(CsrfToken) request.getAttribute(CsrfToken.class.getName()), ConsoleAccess.nonce(request));
	}

	/** The name of the field that makes a form ours. */
	public String formName() {
		return (this.form != null) ? this.form.getParameterName() : "";
	}

	/** Its value, which the browser is given as a cookie, too, when it is asked for. */
	public String formToken() {
		return (this.form != null) ? this.form.getToken() : "";
	}

	private static String caller(AccessPolicy access) {
		try {
			return TruncatedText.of(access.caller(), TruncatedText.SHORT).text();
		}
		catch (AccessException.Unauthenticated ex) {
			return "";
		}
	}

}
