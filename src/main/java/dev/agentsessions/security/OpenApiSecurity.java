package dev.agentsessions.security;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import dev.agentsessions.security.CurrentCaller.AccessMode;

/**
 * Adds the authentication schemes to the OpenAPI documents, if the service authenticates
 * callers.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
class OpenApiSecurity implements GlobalOpenApiCustomizer {

	private static final String API_KEY = "apiKey";

	private static final String BEARER = "bearer";

	private static final String NOT_CHECKED = "Nothing is checked here: with a wrong one, each request is answered "
			+ "`401 UNAUTHENTICATED`.";

	private final AccessMode mode;

	OpenApiSecurity(AccessMode mode) {
		this.mode = mode;
	}

	@Override
	public void customise(OpenAPI api) {
		if (this.mode.isOpen()) {
			return;
		}
		SecurityScheme apiKey = new SecurityScheme().type(SecurityScheme.Type.APIKEY)
			.in(SecurityScheme.In.HEADER)
			.name("x-goog-api-key")
			.description("An API key. `java -jar agent-sessions.jar --new-api-key` makes one, and its hash for the "
					+ "configuration. It is forgotten when this page is loaded again. " + NOT_CHECKED);
		SecurityScheme bearer = new SecurityScheme().type(SecurityScheme.Type.HTTP)
			.scheme(BEARER)
			.description("A token of the issuer that the service trusts, or an API key. " + NOT_CHECKED);
		api.getComponents().addSecuritySchemes(API_KEY, apiKey).addSecuritySchemes(BEARER, bearer);
		api.addSecurityItem(new SecurityRequirement().addList(API_KEY))
			.addSecurityItem(new SecurityRequirement().addList(BEARER));
	}

}
