package dev.agentsessions.security;

import java.net.InetAddress;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties.Jwt;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.stereotype.Component;
import org.springframework.util.CollectionUtils;

import dev.agentsessions.security.CurrentCaller.AccessMode;
import dev.agentsessions.startup.StartupException;

/** Determines the access mode, and refuses to start with unsafe settings. */
@Configuration(proxyBeanMethods = false)
class AccessModeConfiguration {

	private static final String NO_ACCESS_CONTROL = """
			The service is bound to an address that other machines may reach (server.address), and no access \
			control is configured: any caller could read and change every session.""";

	private static final String NO_ACCESS_CONTROL_ACTION = """
			Make an API key with 'java -jar agent-sessions.jar --new-api-key' and configure its hash:

			    AGENTSESSIONS_SECURITY_APIKEYS_0_NAME=my-agent
			    AGENTSESSIONS_SECURITY_APIKEYS_0_SHA256=...
			    AGENTSESSIONS_SECURITY_APIKEYS_0_APPS=my-app
			    AGENTSESSIONS_SECURITY_APIKEYS_0_ROLE=agent

			or accept the tokens of an OAuth 2 issuer:

			    SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUERURI=https://...
			    SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_AUDIENCES=agent-sessions

			or let only this machine in with SERVER_ADDRESS=127.0.0.1. If something else keeps unknown \
			callers out, set AGENTSESSIONS_SECURITY_ALLOWANONYMOUS=true.""";

	private static final String INCOMPLETE_TOKEN_SETTINGS = """
			Tokens are accepted (spring.security.oauth2.resourceserver.jwt), but without a check of who issued \
			them, or for which service.""";

	private static final String INCOMPLETE_TOKEN_SETTINGS_ACTION = """
			Set both:

			    SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUERURI=https://...
			    SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_AUDIENCES=agent-sessions""";

	private static final String MANAGEMENT_PORT = "management.server.port";

	private final Environment environment;

	AccessModeConfiguration(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Access is open as long as no way to sign in is configured: every caller is then an
	 * administrator. The condition names each way to sign in.
	 */
	@Bean
	AccessMode accessMode(SecurityProperties properties, ObjectProvider<JwtDecoder> tokens) {
		boolean acceptsTokens = tokens.getIfAvailable() != null;
		if (acceptsTokens) {
			checkIssuer();
		}
		boolean open = properties.apiKeys().isEmpty() && !acceptsTokens;
		if (open && !properties.allowAnonymous() && !onLoopback()) {
			throw new StartupException(NO_ACCESS_CONTROL, NO_ACCESS_CONTROL_ACTION);
		}
		return new AccessMode(open, open && !properties.allowAnonymous());
	}

	private boolean onLoopback() {
		return isLoopback("server.address")
				&& (!this.environment.containsProperty(MANAGEMENT_PORT) || isLoopback("management.server.address"));
	}

	private boolean isLoopback(String property) {
		InetAddress address = this.environment.getProperty(property, InetAddress.class);
		return address != null && address.isLoopbackAddress();
	}

	/**
	 * Without issuer and audience, the service would accept tokens issued for other
	 * services.
	 */
	private void checkIssuer() {
		Jwt issuer = Binder.get(this.environment).bindOrCreate("spring.security.oauth2.resourceserver.jwt", Jwt.class);
		if (issuer.getIssuerUri() == null || CollectionUtils.isEmpty(issuer.getAudiences())) {
			throw new StartupException(INCOMPLETE_TOKEN_SETTINGS, INCOMPLETE_TOKEN_SETTINGS_ACTION);
		}
	}

	/**
	 * Adds the authentication schemes to the OpenAPI documents, if the service
	 * authenticates callers.
	 */
	@Component
	@Order(Ordered.LOWEST_PRECEDENCE)
	static class OpenApiSecurity implements GlobalOpenApiCustomizer {

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

}
