package dev.agentsessions.security;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.BearerTokenErrorCodes;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;

/** Configures authentication by API keys and by tokens. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.SERVLET)
class AuthenticationConfiguration {

	@Bean
	AuthenticationManager authenticationManager(ApiKeys keys, SecurityProperties properties,
			ObjectProvider<JwtDecoder> tokens) {
		List<AuthenticationProvider> providers = new ArrayList<>();
		providers.add(new ApiKeyAuthenticationProvider(keys));
		tokens.ifAvailable((decoder) -> {
			JwtAuthenticationProvider provider = new JwtAuthenticationProvider(new RecentTokens(decoder));
			provider.setJwtAuthenticationConverter(new JwtCallerConverter(properties.jwt()));
			providers.add(provider);
		});
		return new ProviderManager(providers);
	}

	/**
	 * Checks that a token has an expiry and an accepted algorithm, in addition to
	 * Spring's checks of signature, issuer, audience and time. Without it, an issuer
	 * found by its URL could use any algorithm that its keys permit.
	 */
	@Bean
	OAuth2TokenValidator<Jwt> algorithmAndEnd(OAuth2ResourceServerProperties properties) {
		List<String> algorithms = properties.getJwt().getJwsAlgorithms();
		return (token) -> (token.getExpiresAt() != null && algorithms.contains(token.getHeaders().get("alg")))
				? OAuth2TokenValidatorResult.success()
				: OAuth2TokenValidatorResult.failure(new OAuth2Error(BearerTokenErrorCodes.INVALID_TOKEN,
						"The token has no expiry, or is signed with an algorithm that is not accepted", null));
	}

	/** Authenticates callers by their API key. */
	static class ApiKeyAuthenticationProvider implements AuthenticationProvider {

		private final ApiKeys keys;

		ApiKeyAuthenticationProvider(ApiKeys keys) {
			this.keys = keys;
		}

		/** Returns {@code null} for an unknown key, which may be a token. */
		@Override
		public @Nullable Authentication authenticate(Authentication authentication) {
			return this.keys.find(((BearerTokenAuthenticationToken) authentication).getToken()).orElse(null);
		}

		@Override
		public boolean supports(Class<?> authentication) {
			return authentication == BearerTokenAuthenticationToken.class;
		}

	}

}
