package dev.agentsessions.security;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.CachingJWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetBasedJWKSource;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetSourceWrapper;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.jwk.source.RateLimitedJWKSetSource;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.ConfigurableJWTProcessor;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.JwkSetUriJwtDecoderBuilderCustomizer;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Limits how often the service reads the keys of an issuer. Spring alone reads them for
 * each token with an unknown key.
 */
@Configuration(proxyBeanMethods = false)
class JwkSourceConfiguration {

	/**
	 * The service accepts a new key after at most this time, and reads the keys at most
	 * twice in it.
	 */
	private static final Duration INTERVAL = Duration.ofSeconds(10);

	@Bean
	JwkSetUriJwtDecoderBuilderCustomizer boundedReadingOfKeys(OAuth2ResourceServerProperties properties) {
		Set<JWSAlgorithm> algorithms = properties.getJwt()
			.getJwsAlgorithms()
			.stream()
			.map(JWSAlgorithm::parse)
			.collect(Collectors.toUnmodifiableSet());
		return (builder) -> builder.jwtProcessorCustomizer((processor) -> limitReads(processor, algorithms, INTERVAL));
	}

	static void limitReads(ConfigurableJWTProcessor<SecurityContext> processor, Set<JWSAlgorithm> algorithms,
			Duration interval) {
		RateLimitedJwkSource keys = new RateLimitedJwkSource(issuer(processor), interval);
		processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys));
	}

	/** Returns Spring's source of keys, which has the URL and the HTTP client. */
	private static JWKSetSource<SecurityContext> issuer(ConfigurableJWTProcessor<SecurityContext> processor) {
		var selector = (JWSVerificationKeySelector<SecurityContext>) processor.getJWSKeySelector();
		var cached = (JWKSetBasedJWKSource<SecurityContext>) selector.getJWKSource();
		return ((JWKSetSourceWrapper<SecurityContext>) cached.getJWKSetSource()).getSource();
	}

	/**
	 * Caches the keys of the issuer for five minutes. A token with an unknown key
	 * triggers another read, because the key may be new, but at most two in an interval:
	 * any client can invent such tokens.
	 */
	static class RateLimitedJwkSource extends JWKSetBasedJWKSource<SecurityContext> {

		/**
		 * Creates the source.
		 * @param issuer reads the keys of the issuer
		 * @param interval the interval with at most two reads
		 */
		RateLimitedJwkSource(JWKSetSource<SecurityContext> issuer, Duration interval) {
			super(new CachingJWKSetSource<>(new RateLimitedJWKSetSource<>(issuer, interval.toMillis(), null),
					JWKSourceBuilder.DEFAULT_CACHE_TIME_TO_LIVE, JWKSourceBuilder.DEFAULT_CACHE_REFRESH_TIMEOUT, null));
		}

		/**
		 * Selects keys from the cache if the limit of reads is reached: then a token with
		 * an unknown key is invalid. Fails only if no keys are cached.
		 */
		@Override
		public List<JWK> get(JWKSelector selector, SecurityContext context) throws KeySourceException {
			try {
				return super.get(selector, context);
			}
			catch (RateLimitReachedException ex) {
				return selector.select(getJWKSetSource().getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(),
						System.currentTimeMillis(), context));
			}
		}

	}

}
