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
 * The keys of the issuer, kept for five minutes. A token whose key is not among them has
 * them read again, since it may be a new one, but not more than twice in a while: anybody
 * can make up such tokens.
 */
class RateLimitedJwkSource extends JWKSetBasedJWKSource<SecurityContext> {

	/**
	 * Creates the keys.
	 * @param issuer reads them
	 * @param interval how long the while is
	 */
	RateLimitedJwkSource(JWKSetSource<SecurityContext> issuer, Duration interval) {
		super(new CachingJWKSetSource<>(new RateLimitedJWKSetSource<>(issuer, interval.toMillis(), null),
				JWKSourceBuilder.DEFAULT_CACHE_TIME_TO_LIVE, JWKSourceBuilder.DEFAULT_CACHE_REFRESH_TIMEOUT, null));
	}

	/**
	 * A token whose key is unknown while it is too early to ask again is not valid. Only
	 * if no keys are known at all nobody can tell.
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
