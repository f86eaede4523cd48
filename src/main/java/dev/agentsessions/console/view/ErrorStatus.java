package dev.agentsessions.console.view;

import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;
import org.springframework.web.servlet.ModelAndView;

import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.SessionException;

/** How a page reports an error: with a status, or in the form that was sent. */
public final class ErrorStatus {

	private ErrorStatus() {
	}

	/** Returns the status of the page that reports an error. */
	public static HttpStatus of(SessionException ex) {
		return switch (ex.kind().category()) {
			case MISSING -> HttpStatus.NOT_FOUND;
			case AMBIGUOUS, TAKEN -> HttpStatus.CONFLICT;
			case CONFLICT ->
				(ex instanceof SessionException.Stale) ? HttpStatus.PRECONDITION_FAILED : HttpStatus.CONFLICT;
			case PRECONDITION_REQUIRED -> HttpStatus.PRECONDITION_REQUIRED;
			case INVALID -> HttpStatus.BAD_REQUEST;
			case TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
			case UNAUTHENTICATED -> HttpStatus.UNAUTHORIZED;
			case FORBIDDEN -> HttpStatus.FORBIDDEN;
			case RATE_LIMITED -> HttpStatus.TOO_MANY_REQUESTS;
			case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
		};
	}

	/**
	 * Shows a form again, with the error in it and the typed values.
	 * @throws SessionException the same one if other values in the form do not help
	 */
	public static ModelAndView again(String form, SessionException ex, Model model) {
		if (ex instanceof AccessException || ex instanceof SessionException.Unavailable) {
			throw ex;
		}
		model.addAttribute("error", TruncatedText.printable(ex.getMessage()));
		return new ModelAndView(form, of(ex));
	}

}
