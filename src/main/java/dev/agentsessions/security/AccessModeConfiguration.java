package dev.agentsessions.security;

import java.net.InetAddress;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties.Jwt;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.util.CollectionUtils;

import dev.agentsessions.security.caller.AccessMode;

/** Determines the access mode, and refuses to start with unsafe settings. */
@Configuration(proxyBeanMethods = false)
class AccessModeConfiguration {

	private static final String MANAGEMENT_PORT = "management.server.port";

	private final Environment environment;

	AccessModeConfiguration(Environment environment) {
		this.environment = environment;
	}

	@Bean
	AccessMode accessMode(SecurityProperties properties, ObjectProvider<JwtDecoder> tokens) {
		boolean acceptsTokens = tokens.getIfAvailable() != null;
		if (acceptsTokens) {
			checkIssuer();
		}
		boolean open = properties.apiKeys().isEmpty() && !acceptsTokens;
		if (open && !properties.allowAnonymous() && !onLoopback()) {
			throw new NoAccessControlException();
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
			throw new IncompleteTokenSettingsException();
		}
	}

}
