package dev.agentsessions.console;

import java.util.Map;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.ui.Model;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

import dev.agentsessions.console.view.ErrorStatus;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.Permissions;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.ErrorResponder;

/**
 * Provides the layout of all pages, and the error page. The error page is rendered here
 * and not by a view, because the security filters use it, too.
 */
@ControllerAdvice(basePackageClasses = ConsoleAdvice.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
class ConsoleAdvice {

	private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

	private final AccessPolicy access;

	private final Permissions permissions;

	private final ITemplateEngine templates;

	private final ErrorResponder errors;

	ConsoleAdvice(AccessPolicy access, Permissions permissions, ITemplateEngine templates, ErrorResponder errors) {
		this.access = access;
		this.permissions = permissions;
		this.templates = templates;
		this.errors = errors;
	}

	@ModelAttribute("layout")
	PageLayout layout(HttpServletRequest request) {
		return PageLayout.of(request, this.access);
	}

	/**
	 * Adds the names in the path and their pages, which the breadcrumbs show, and whether
	 * the caller may change sessions of the app.
	 */
	@ModelAttribute
	void addNames(@PathVariable Map<String, String> path, HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		String app = path.get("appName");
		String user = path.get("userId");
		String session = path.get("sessionId");
		if (app != null) {
			model.addAttribute("app", TruncatedText.line(app));
			model.addAttribute("appLink", links.app(app));
			model.addAttribute("mayWrite", this.permissions.mayWrite(app));
		}
		if (app != null && user != null) {
			model.addAttribute("user", TruncatedText.line(user));
			model.addAttribute("userLink", links.user(app, user));
		}
		if (app != null && user != null && session != null) {
			SessionName name = new SessionName(app, user, session);
			model.addAttribute("id", TruncatedText.line(name.sessionId()));
			model.addAttribute("link", links.session(name));
		}
	}

	/** Responds with the sign-in form instead of the requested page. */
	@ExceptionHandler
	ResponseEntity<String> signIn(AccessException.Unauthenticated ex, HttpServletRequest request) {
		return respond("console/sign-in", HttpStatus.UNAUTHORIZED,
				Map.of("message", ex.getMessage(), "page", requestedPage(request), "layout", layout(request)));
	}

	@ExceptionHandler
	ResponseEntity<String> error(SessionException ex, HttpServletRequest request) {
		if (ex instanceof SessionException.Unavailable unavailable) {
			this.errors.log(unavailable);
		}
		return error(ErrorStatus.of(ex), ex.getMessage(), request);
	}

	@ExceptionHandler
	ResponseEntity<String> error(MethodArgumentTypeMismatchException ex, HttpServletRequest request) {
		return error(HttpStatus.BAD_REQUEST, ex.getName() + " " + ErrorResponder.rule(ex), request);
	}

	/** Reports the console's paths as unknown paths while the console is disabled. */
	@ExceptionHandler
	ProblemDetail unknownPath(NoResourceFoundException ex) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, ErrorResponder.UNKNOWN_PATH);
		problem.setProperty("code", "NOT_FOUND");
		return problem;
	}

	@ExceptionHandler
	ResponseEntity<String> fault(Exception ex, HttpServletRequest request) {
		if (ex instanceof ErrorResponse refusal) {
			String detail = refusal.getBody().getDetail();
			return error(refusal.getStatusCode(), (detail != null) ? detail : "The request was refused", request);
		}
		this.errors.logFault(request, ex);
		return error(HttpStatus.INTERNAL_SERVER_ERROR, ErrorResponder.INTERNAL_ERROR, request);
	}

	private ResponseEntity<String> error(HttpStatusCode status, String message, HttpServletRequest request) {
		return respond("console/error", status, Map.of("message", TruncatedText.printable(message), "status",
				status.value(), "layout", layout(request)));
	}

	private ResponseEntity<String> respond(String template, HttpStatusCode status, Map<String, Object> model) {
		Context context = new Context();
		context.setVariables(model);
		return ResponseEntity.status(status).contentType(HTML).body(this.templates.process(template, context));
	}

	/**
	 * Returns the page requested before the sign-in, without the context path. The reader
	 * of the form field checks the value.
	 */
	private static String requestedPage(HttpServletRequest request) {
		if (request.getServletPath().equals(ConsoleAccess.SIGN_IN)) {
			try {
				return Objects.requireNonNullElse(request.getParameter("page"), ConsoleAccess.PATH);
			}
			catch (InvalidParameterException ex) {
				return ConsoleAccess.PATH;
			}
		}
		String path = request.getRequestURI().substring(request.getContextPath().length());
		return (request.getQueryString() != null) ? path + "?" + request.getQueryString() : path;
	}

	/**
	 * The data of the header that each page has.
	 *
	 * @param base the context path of the service
	 * @param caller the caller; blank if unknown
	 * @param signedIn whether the caller can sign out
	 * @param csrfToken the CSRF token; {@code null} on pages without a form
	 * @param nonce allows the scripts and styles of the page in its content security
	 * policy
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
				return TruncatedText.line(access.caller()).text();
			}
			catch (AccessException.Unauthenticated ex) {
				return "";
			}
		}

	}

}
