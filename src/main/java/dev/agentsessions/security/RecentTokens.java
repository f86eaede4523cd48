package dev.agentsessions.security;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;

/**
 * Remembers the tokens that were valid, until they expire and for a minute at most. The
 * check of a signature costs as much processor time as an append, and agents send the
 * same token with each request.
 */
class RecentTokens implements JwtDecoder {

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
		return !this.clock.instant().isBefore(Objects.requireNonNull(end, "A token without an expiry is not valid"));
	}

}
