package dev.agentsessions.security;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;

/**
 * Remembers the tokens that were valid, until they expire and for a minute at most. The
 * check of a signature costs as much processor time as an append, and agents send the
 * same token with each request.
 */
class RecentTokens implements JwtDecoder {

	/** A token stays valid for this time after the service knows that its key is gone. */
	private static final Duration LIFETIME = Duration.ofMinutes(1);

	/** About 2,500 tokens, and 8 MB of memory. */
	private static final long MAX_CHARS = 2_000_000;

	private final JwtDecoder decoder;

	private final InstantSource clock;

	private final Cache<String, Jwt> valid;

	RecentTokens(JwtDecoder decoder) {
		this(decoder, InstantSource.system());
	}

	RecentTokens(JwtDecoder decoder, InstantSource clock) {
		this.decoder = decoder;
		this.clock = clock;
		this.valid = Caffeine.newBuilder()
			.expireAfterWrite(LIFETIME)
			.maximumWeight(MAX_CHARS)
			.weigher((String token, Jwt claims) -> token.length())
			.ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
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
		return !this.clock.instant().isBefore(Objects.requireNonNull(end, "A token without an expiry is not valid"));
	}

}
