package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.jwt.Jwt;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.security.SecurityProperties.JwtClaims;
import dev.agentsessions.security.caller.AccessMode;
import dev.agentsessions.security.caller.CurrentCaller;
import dev.agentsessions.session.AccessException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.StateDeltas;

/** What the token of one user may write. */
class AccessRulesTests {

	private static final SessionKey SESSION = new SessionKey("shop", "ann", "s1");

	@AfterEach
	void signOut() {
		SecurityContextHolder.clearContext();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"k\":1}", "{\"user:k\":1}", "{\"temp:k\":1}" })
	void permitsStateOfTheUser(String delta) {
		assertThatNoException().isThrownBy(() -> write(delta, false));
	}

	@Test
	void refusesStateOfTheAppUnlessTheSettingPermitsIt() {
		assertThatExceptionOfType(AccessException.Forbidden.class).isThrownBy(() -> write("{\"app:k\":1}", false));
		assertThatNoException().isThrownBy(() -> write("{\"app:k\":1}", true));
	}

	private static void write(String delta, boolean usersChangeAppState) {
		Jwt token = Jwt.withTokenValue("token")
			.header("alg", "RS256")
			.subject("ann")
			.claim("apps", List.of("shop"))
			.expiresAt(Instant.parse("2999-01-01T00:00:00Z"))
			.build();
		JwtClaims claims = new JwtClaims("sub", "apps", "admin", "metrics", usersChangeAppState);
		SecurityContextHolder.getContext().setAuthentication(new JwtCallerConverter(claims).convert(token));
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.registerBean(AccessMode.class, () -> new AccessMode(false, false));
			context.register(CurrentCaller.class);
			context.refresh();
			new AccessRules(context.getBean(CurrentCaller.class)).check(SESSION,
					StateDeltas.of(JsonObject.parse(delta)));
		}
	}

}
