package dev.agentsessions.security;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
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
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.JwkSetUriJwtDecoderBuilderCustomizer;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.server.resource.BearerTokenErrorCodes;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.util.StringUtils;

import dev.agentsessions.security.Caller.CallerAuthentication;
import dev.agentsessions.security.Caller.Role;
import dev.agentsessions.security.SecurityProperties.JwtClaims;

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

	/**
	 * Remembers the tokens that were valid, until they expire and for a minute at most.
	 * The check of a signature costs as much processor time as an append, and agents send
	 * the same token with each request.
	 */
	static class RecentTokens implements JwtDecoder {

		/** A token is accepted for this time at most after its key is gone. */
		private static final Duration LIFETIME = Duration.ofMinutes(1);

		/** The memory of a token besides its text, in bytes. */
		private static final int BYTES_PER_TOKEN = 2000;

		/** Tokens are in the cache as text and as claims. */
		private static final int BYTES_PER_CHAR = 3;

		private static final long MAX_BYTES = 10_000_000;

		private final JwtDecoder decoder;

		private final InstantSource clock;

		private final Cache<String, Jwt> valid;

		RecentTokens(JwtDecoder decoder) {
			this(decoder, InstantSource.system(), Ticker.systemTicker());
		}

		RecentTokens(JwtDecoder decoder, InstantSource clock, Ticker ticker) {
			this.decoder = decoder;
			this.clock = clock;
			this.valid = Caffeine.newBuilder()
				.expireAfterWrite(LIFETIME)
				.maximumWeight(MAX_BYTES)
				.weigher((String token, Jwt claims) -> BYTES_PER_TOKEN + BYTES_PER_CHAR * token.length())
				.ticker(ticker)
				.build();
		}

		/**
		 * Returns the claims of a token.
		 * @throws JwtException if the token is not valid
		 */
		@Override
		public Jwt decode(String token) {
			Jwt known = this.valid.getIfPresent(token);
			if (known != null && !hasExpired(known)) {
				return known;
			}
			Jwt checked = this.decoder.decode(token);
			this.valid.put(token, checked);
			return checked;
		}

		private boolean hasExpired(Jwt token) {
			Instant end = token.getExpiresAt();
			return !this.clock.instant()
				.isBefore(Objects.requireNonNull(end, "A token without an expiry is not valid"));
		}

	}

	/** Converts the claims of a verified token to a caller. */
	static class JwtCallerConverter implements Converter<Jwt, CallerAuthentication> {

		private static final List<String> SCOPE_CLAIMS = List.of("scope", "scp");

		private final JwtClaims claims;

		JwtCallerConverter(JwtClaims claims) {
			this.claims = claims;
		}

		@Override
		public CallerAuthentication convert(Jwt token) {
			String user = token.getClaimAsString(this.claims.userClaim());
			if (user == null || user.isBlank()) {
				throw new InvalidBearerTokenException("The token names no user");
			}
			Set<String> apps = Set.copyOf(texts(token.getClaim(this.claims.appsClaim())));
			Role role = role(token);
			boolean ofOneUser = role == Role.AGENT;
			// The name tells users from keys of the same name
			Caller caller = new Caller("user " + user, role, apps, ofOneUser ? user : null,
					!ofOneUser || this.claims.usersChangeAppState());
			Instant expiry = Objects.requireNonNull(token.getExpiresAt(), "A token without an expiry is not valid");
			return new CallerAuthentication(caller, (now) -> now.isBefore(expiry));
		}

		private Role role(Jwt token) {
			if (hasScope(token, this.claims.administratorScope())) {
				return Role.ADMINISTRATOR;
			}
			return hasScope(token, this.claims.metricsScope()) ? Role.METRICS : Role.AGENT;
		}

		private static boolean hasScope(Jwt token, String scope) {
			return SCOPE_CLAIMS.stream().anyMatch((claim) -> texts(token.getClaim(claim)).contains(scope));
		}

		/** Returns the strings of a claim: a list, or one string separated by spaces. */
		private static List<String> texts(@Nullable Object claim) {
			if (claim instanceof Collection<?> list) {
				return list.stream().map(String::valueOf).toList();
			}
			return (claim instanceof String text) ? List.of(StringUtils.tokenizeToStringArray(text, " ")) : List.of();
		}

	}

	/**
	 * Reads the key or token of a request from the header that Google's clients use for
	 * API keys, or as a bearer token. It never reads it from the URL, which is written to
	 * logs.
	 */
	static class ApiKeyBearerTokenResolver implements BearerTokenResolver {

		private static final String SCHEME = "Bearer ";

		private final BearerTokenResolver bearer = new DefaultBearerTokenResolver();

		@Override
		public @Nullable String resolve(HttpServletRequest request) {
			String apiKey = request.getHeader("x-goog-api-key");
			if (StringUtils.hasText(apiKey)) {
				return apiKey;
			}
			String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
			return (authorization != null && isPlainToken(authorization)) ? authorization.substring(SCHEME.length())
					: this.bearer.resolve(request);
		}

		/**
		 * Whether a header is in the form that nearly all clients send. Spring Security
		 * accepts this form and a few more by a regular expression, which takes a tenth
		 * of the processor time of an append with a token.
		 */
		private static boolean isPlainToken(String authorization) {
			if (authorization.length() == SCHEME.length() || !authorization.startsWith(SCHEME)) {
				return false;
			}
			for (int i = SCHEME.length(); i < authorization.length(); i++) {
				char character = authorization.charAt(i);
				boolean plain = character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z'
						|| character >= '0' && character <= '9' || character == '-' || character == '_'
						|| character == '.';
				if (!plain) {
					return false;
				}
			}
			return true;
		}

	}

	/**
	 * Limits how often the service reads the keys of an issuer. Spring alone reads them
	 * for each token with an unknown key.
	 */
	@Configuration(proxyBeanMethods = false)
	static class JwkSourceConfiguration {

		/**
		 * The service accepts a new key after at most this time, and reads the keys at
		 * most twice in it.
		 */
		private static final Duration INTERVAL = Duration.ofSeconds(10);

		@Bean
		JwkSetUriJwtDecoderBuilderCustomizer boundedReadingOfKeys(OAuth2ResourceServerProperties properties) {
			Set<JWSAlgorithm> algorithms = properties.getJwt()
				.getJwsAlgorithms()
				.stream()
				.map(JWSAlgorithm::parse)
				.collect(Collectors.toUnmodifiableSet());
			return (builder) -> builder
				.jwtProcessorCustomizer((processor) -> limitReads(processor, algorithms, INTERVAL));
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
		 * triggers another read, because the key may be new, but at most two in an
		 * interval: any client can invent such tokens.
		 */
		static class RateLimitedJwkSource extends JWKSetBasedJWKSource<SecurityContext> {

			/**
			 * Creates the source.
			 * @param issuer reads the keys of the issuer
			 * @param interval the interval with at most two reads
			 */
			RateLimitedJwkSource(JWKSetSource<SecurityContext> issuer, Duration interval) {
				super(new CachingJWKSetSource<>(new RateLimitedJWKSetSource<>(issuer, interval.toMillis(), null),
						JWKSourceBuilder.DEFAULT_CACHE_TIME_TO_LIVE, JWKSourceBuilder.DEFAULT_CACHE_REFRESH_TIMEOUT,
						null));
			}

			/**
			 * Selects keys from the cache if the limit of reads is reached: then a token
			 * with an unknown key is invalid. Fails only if no keys are cached.
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

}
