package dev.agentsessions.security;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSetBasedJWKSource;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetSourceWrapper;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.ConfigurableJWTProcessor;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.JwkSetUriJwtDecoderBuilderCustomizer;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * How often the keys of an issuer are read. Spring reads them once for each token whose
 * key it does not know.
 */
@Configuration(proxyBeanMethods = false)
class JwkSourceConfiguration {

	/** New keys are found as soon, and the issuer is asked at most twice as often. */
	private static final Duration INTERVAL = Duration.ofSeconds(10);

	@Bean
	JwkSetUriJwtDecoderBuilderCustomizer boundedReadingOfKeys(OAuth2ResourceServerProperties properties) {
		Set<JWSAlgorithm> algorithms = properties.getJwt()
			.getJwsAlgorithms()
			.stream()
			.map(JWSAlgorithm::parse)
			.collect(Collectors.toUnmodifiableSet());
		return (builder) -> builder.jwtProcessorCustomizer((processor) -> bound(processor, algorithms, INTERVAL));
	}

	static void bound(ConfigurableJWTProcessor<SecurityContext> processor, Set<JWSAlgorithm> algorithms,
			Duration interval) {
		RateLimitedJwkSource keys = new RateLimitedJwkSource(issuer(processor), interval);
		processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys));
	}

	/** What Spring reads keys with: it alone knows where they are and how to ask. */
	private static JWKSetSource<SecurityContext> issuer(ConfigurableJWTProcessor<SecurityContext> processor) {
		var selector = (JWSVerificationKeySelector<SecurityContext>) processor.getJWSKeySelector();
		var cached = (JWKSetBasedJWKSource<SecurityContext>) selector.getJWKSource();
		return ((JWKSetSourceWrapper<SecurityContext>) cached.getJWKSetSource()).getSource();
	}

}
