package dev.agentsessions.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.ErrorResponder;

/** Responds to requests that fail authentication or authorization. */
@Component
class ApiAuthenticationEntryPoint
		implements AuthenticationEntryPoint, AuthenticationFailureHandler, AccessDeniedHandler {

	private static final Logger logger = LoggerFactory.getLogger(ApiAuthenticationEntryPoint.class);

	private final ErrorResponder errors;

	private final AddressRateLimiter addresses;

	ApiAuthenticationEntryPoint(ErrorResponder errors, AddressRateLimiter addresses) {
		this.errors = errors;
		this.addresses = addresses;
	}

	/** Responds to a request without credentials, or with malformed ones. */
	@Override
	public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException ex) {
		refuse(request, response, "Bearer",
				"An API key (x-goog-api-key, or Authorization: Bearer) or a token is required");
	}

	@Override
	public void onAuthenticationFailure(HttpServletRequest request, HttpServletResponse response,
			AuthenticationException ex) {
		if (ex instanceof AuthenticationServiceException) {
			logger.warn("A token could not be checked: {}", NestedExceptionUtils.getMostSpecificCause(ex).toString());
			logger.debug("A token could not be checked", ex);
			this.errors.answer(request, response,
					new SessionException.Unavailable("The token cannot be checked at the moment. Please retry."));
			return;
		}
		refuse(request, response, "Bearer error=\"invalid_token\"", "The API key or token is not valid");
	}

	private void refuse(HttpServletRequest request, HttpServletResponse response, String challenge, String detail) {
		if (!this.addresses.refuses(request, response)) {
			response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge);
			this.errors.answer(request, response, new AccessException.Unauthenticated(detail));
		}
	}

	@Override
	public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException ex) {
		this.errors.answer(request, response, AccessException.Forbidden.byRole());
	}

}
