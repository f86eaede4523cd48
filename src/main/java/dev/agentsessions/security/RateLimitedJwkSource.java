package dev.agentsessions.security;

import java.time.Duration;
import java.util.List;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.CachingJWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetBasedJWKSource;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.jwk.source.RateLimitedJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;

/**
 * Caches the keys of the issuer for five minutes. A token with an unknown key triggers
 * another read, because the key may be new, but at most two in an interval: any client
 * can invent such tokens.
 */
class RateLimitedJwkSource extends JWKSetBasedJWKSource<SecurityContext> {

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
	 * Selects keys from the cache if the limit of reads is reached: then a token with an
	 * unknown key is invalid. Fails only if no keys are cached.
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
