package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;

import dev.agentsessions.security.AuthenticationConfiguration.RecentTokens;

/** How often a token is checked. */
class RecentTokensTests {

	private final List<String> checked = new ArrayList<>();

	private Instant now = Instant.parse("2026-01-01T00:00:00Z");

	private final Instant end = this.now.plusSeconds(90);

	private boolean issuerKnowsTheKey = true;

	private final RecentTokens tokens = new RecentTokens(this::check, () -> this.now,
			() -> Duration.between(Instant.EPOCH, this.now).toNanos());

	@Test
	void checksATokenOnceAMinute() {
		Jwt first = this.tokens.decode("one");
		this.now = this.now.plusSeconds(59);
		assertThat(this.tokens.decode("one")).isSameAs(first);
		assertThat(this.checked).containsExactly("one");
		this.now = this.now.plusSeconds(1);
		this.tokens.decode("one");
		assertThat(this.checked).containsExactly("one", "one");
	}

	@Test
	void rejectsATokenAMinuteAfterItsKeyIsGone() {
		this.tokens.decode("one");
		this.issuerKnowsTheKey = false;
		this.tokens.decode("one");
		this.now = this.now.plusSeconds(60);
		assertThatExceptionOfType(BadJwtException.class).isThrownBy(() -> this.tokens.decode("one"));
	}

	@Test
	void rejectsATokenThatExpiresMeanwhile() {
		this.now = this.end.minus(Duration.ofMillis(1));
		this.tokens.decode("one");
		this.now = this.end;
		assertThatExceptionOfType(BadJwtException.class).isThrownBy(() -> this.tokens.decode("one"));
	}

	@Test
	void checksEachTokenAndRemembersNoneThatIsNotValid() {
		this.tokens.decode("one");
		this.issuerKnowsTheKey = false;
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(BadJwtException.class).isThrownBy(() -> this.tokens.decode("two"));
		}
		this.issuerKnowsTheKey = true;
		this.tokens.decode("two");
		assertThat(this.checked).containsExactly("one", "two", "two", "two");
	}

	private Jwt check(String token) {
		this.checked.add(token);
		if (!this.issuerKnowsTheKey || !this.now.isBefore(this.end)) {
			throw new BadJwtException("not valid");
		}
		return Jwt.withTokenValue(token).header("alg", "RS256").subject("ann").expiresAt(this.end).build();
	}

}
