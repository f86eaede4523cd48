package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.session.SecretStore.SignOutStore;
import dev.agentsessions.session.SecretStore.SignOutStore.SignIn;

/** Signed-out cookies, of which all replicas know. */
@PostgresTest
class SignOutStoreTests {

	private final String credentials = digest();

	private final Instant end = Instant.now().plus(Duration.ofHours(12));

	@Autowired
	private SignOutStore signOuts;

	@Autowired
	private JdbcTemplate jdbc;

	@Test
	void signsOneCookieOutAndNoOther() {
		SignIn cookie = new SignIn(this.credentials, digest(), this.end);
		assertThat(this.signOuts.isSignedOut(cookie)).isFalse();
		this.signOuts.signOut(cookie);
		this.signOuts.signOut(cookie);
		assertThat(this.signOuts.isSignedOut(cookie)).isTrue();
		assertThat(this.signOuts.isSignedOut(new SignIn(this.credentials, digest(), this.end))).isFalse();
		assertThat(this.signOuts.isSignedOut(new SignIn(digest(), cookie.cookie(), this.end))).isFalse();
	}

	@Test
	void signsOutFromManyRequestsAtOnce() throws Exception {
		SignIn cookie = new SignIn(this.credentials, digest(), this.end);
		Concurrently.run(8, (number) -> {
			this.signOuts.signOut(cookie);
			return number;
		});
		assertThat(count()).isOne();
	}

	@Test
	void forgetsCookiesThatHaveEnded() {
		this.signOuts.signOut(new SignIn(this.credentials, digest(), Instant.now().minus(Duration.ofMinutes(61))));
		this.signOuts.signOut(new SignIn(this.credentials, digest(), Instant.now().minus(Duration.ofMinutes(59))));
		this.signOuts.signOut(new SignIn(digest(), digest(), this.end));
		assertThat(count()).as("an hour for clocks that differ").isOne();
	}

	@Test
	void keepsAThousandOfTheSameCredentialsAndNoMore() {
		SignIn ofAnother = new SignIn(digest(), digest(), this.end.minusSeconds(9999));
		SignIn first = new SignIn(this.credentials, digest(), this.end.minusSeconds(2));
		SignIn second = new SignIn(this.credentials, digest(), this.end.minusSeconds(1));
		this.signOuts.signOut(ofAnother);
		this.signOuts.signOut(first);
		this.signOuts.signOut(second);
		for (int i = 0; i < SignOutStore.MAX_COOKIES_PER_CREDENTIALS - 1; i++) {
			this.signOuts.signOut(new SignIn(this.credentials, digest(), this.end));
		}
		assertThat(count()).isEqualTo(SignOutStore.MAX_COOKIES_PER_CREDENTIALS);
		assertThat(this.signOuts.isSignedOut(first)).isFalse();
		assertThat(this.signOuts.isSignedOut(second)).isTrue();
		assertThat(this.signOuts.isSignedOut(ofAnother)).isTrue();
	}

	private int count() {
		Integer count = this.jdbc.queryForObject(
				"select count(*) from signed_out_cookies where credentials = decode(?, 'hex')", Integer.class,
				this.credentials);
		return (count != null) ? count : 0;
	}

	private static String digest() {
		return HexFormat.of().formatHex((UUID.randomUUID().toString().substring(0, 32)).getBytes());
	}

}
