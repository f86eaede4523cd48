package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.security.AuthenticationConfiguration.JwtCallerConverter;
import dev.agentsessions.security.CurrentCaller.AccessMode;
import dev.agentsessions.security.SecurityProperties.JwtClaims;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.AccessPolicy.AccessException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.NewEvent.StateDeltas;

/** What the token of one user may write, and for whom a caller works. */
class AccessRulesTests {

	private static final SessionName SESSION = new SessionName("shop", "ann", "s1");

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

	@Test
	void aUserWorksForItselfWhateverItNames() {
		assertThat(beneficiary("ann", SESSION)).isEqualTo(beneficiary("ann", new SessionName("other", "ann", "s2")))
			.isNotEqualTo(beneficiary("bob", new SessionName("shop", "bob", "s1")));
	}

	@Test
	void anAdministratorWorksForTheUserWhoseDataItNames() {
		assertThat(beneficiary(null, SESSION)).isEqualTo(beneficiary(null, new SessionName("shop", "ann", "s2")))
			.isNotEqualTo(beneficiary(null, new SessionName("shop", "bob", "s1")))
			.isNotEqualTo(beneficiary("ann", SESSION));
	}

	@Test
	void outsideOfARequestTheServiceWorksForNoCaller() {
		signIn("ann", false);
		assertThat(rules(AccessRules::beneficiary)).isEmpty();
	}

	private static String beneficiary(@Nullable String user, SessionName name) {
		signIn(user, false);
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(new MockHttpServletRequest()));
		try {
			return rules((rules) -> {
				rules.check(Access.READ, name);
				rules.check(Access.READ, name.app());
				return rules.beneficiary().orElseThrow();
			});
		}
		finally {
			RequestContextHolder.resetRequestAttributes();
		}
	}

	private static void write(String delta, boolean usersChangeAppState) {
		signIn("ann", usersChangeAppState);
		rules((rules) -> {
			rules.check(SESSION, StateDeltas.of(JsonObject.parse(delta)));
			return true;
		});
	}

	/** Signs a user in, or with {@code null} an administrator. */
	private static void signIn(@Nullable String user, boolean usersChangeAppState) {
		Jwt token = Jwt.withTokenValue("token")
			.header("alg", "RS256")
			.subject((user != null) ? user : "root")
			.claim("scope", (user != null) ? "" : "admin")
			.claim("apps", List.of("shop", "other"))
			.expiresAt(Instant.parse("2999-01-01T00:00:00Z"))
			.build();
		JwtClaims claims = new JwtClaims("sub", "apps", "admin", "metrics", usersChangeAppState);
		SecurityContextHolder.getContext().setAuthentication(new JwtCallerConverter(claims).convert(token));
	}

	private static <T> T rules(Function<AccessRules, T> action) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.registerBean(AccessMode.class, () -> new AccessMode(false, false));
			context.register(CurrentCaller.class);
			context.refresh();
			return action.apply(new AccessRules(context.getBean(CurrentCaller.class)));
		}
	}

}
