package dev.agentsessions.security;

import java.time.Instant;
import java.util.Date;
import java.util.List;

import com.nimbusds.jose.JWSAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tokens open the data of their user, if the right issuer made them for this service. */
class TokenTests extends SecuredServiceTest {

	private static final String ANNS = "/apps/shop/users/ann/sessions";

	private static final String BOBS = "/apps/shop/users/bob/sessions";

	@Test
	void opensTheDataOfItsUser() {
		assertThat(call("POST", ANNS).bearer(Tokens.of("ann")).status()).isEqualTo(200);
		assertThat(call("GET", ANNS).bearer(Tokens.of("ann")).status()).isEqualTo(200);
	}

	@Test
	void hidesTheSessionsOfOthersWhetherTheyAreThereOrNot() {
		call("POST", BOBS + "/secret").bearer(Tokens.of("bob")).send();
		String there = call("GET", BOBS + "/secret").bearer(Tokens.of("ann")).send().body();
		String missing = call("GET", BOBS + "/missing").bearer(Tokens.of("ann")).send().body();
		assertThat(there).contains("SESSION_NOT_FOUND");
		assertThat(missing.replace("missing", "secret")).isEqualTo(there);
	}

	@Test
	void opensNothingElseOfOtherUsers() {
		assertThat(call("GET", BOBS).bearer(Tokens.of("ann")).status()).isEqualTo(403);
		assertThat(call("POST", BOBS).bearer(Tokens.of("ann")).status()).isEqualTo(403);
		assertThat(call("GET", "/apps/shop/users/bob/state").bearer(Tokens.of("ann")).status()).isEqualTo(403);
		assertThat(call("GET", "/apps/shop/sessions").bearer(Tokens.of("ann")).status()).isEqualTo(403);
	}

	@Test
	void takesUsersForDifferentThatDifferOnlyInCaseOrForm() {
		assertThat(call("GET", ANNS).bearer(Tokens.of("Ann")).status()).isEqualTo(403);
		assertThat(call("GET", ANNS).bearer(Tokens.of("ann ")).status()).isEqualTo(403);
		assertThat(call("GET", "/apps/shop/users/%C3%A9/sessions").bearer(Tokens.of("e\u0301")).status())
			.isEqualTo(403);
	}

	@Test
	void opensAllUsersToAnAdministratorOfTheApp() {
		String token = Tokens.ofAdministrator("root");
		assertThat(call("GET", BOBS).bearer(token).status()).isEqualTo(200);
		assertThat(call("GET", "/apps/shop/sessions").bearer(token).status()).isEqualTo(200);
		assertThat(call("GET", "/apps/bank/sessions").bearer(token).status()).isEqualTo(403);
	}

	@Test
	void doesNotTakeAScopeForAnotherThatContainsIt() {
		String token = Tokens.sign(Tokens.claims("ann").claim("scope", "agent-sessions.admin.not"));
		assertThat(call("GET", BOBS).bearer(token).status()).isEqualTo(403);
	}

	@Test
	void opensNoAppWithoutTheClaim() {
		String token = Tokens.sign(Tokens.claims("ann").claim("apps", null));
		assertThat(call("GET", ANNS).bearer(token).status()).isEqualTo(403);
	}

	@Test
	void readsTheAppsFromOneText() {
		String token = Tokens.sign(Tokens.claims("ann").claim("apps", "bank shop"));
		assertThat(call("GET", ANNS).bearer(token).status()).isEqualTo(200);
	}

	@Test
	void keepsAUserFromTheStateOfAllUsersHoweverHeWritesIt() {
		String token = Tokens.of("ann");
		String change = "{\"app:greeting\":\"obey me\"}";
		String event = "{\"author\":\"a\",\"actions\":{\"stateDelta\":" + change + "}}";
		assertThat(call("PATCH", "/apps/shop/state").json("{\"greeting\":1}").bearer(token).status()).isEqualTo(403);
		assertThat(call("POST", ANNS).json("{\"state\":" + change + "}").bearer(token).status()).isEqualTo(403);
		assertThat(call("POST", ANNS).json("{\"events\":[" + event + "]}").bearer(token).status()).isEqualTo(403);
		assertThat(call("POST", ANNS + "/shared").bearer(token).status()).isEqualTo(200);
		assertThat(call("POST", ANNS + "/shared/events").json(event).bearer(token).status()).isEqualTo(403);
		assertThat(call("PATCH", ANNS + "/shared").json("{\"stateDelta\":" + change + "}").bearer(token).status())
			.isEqualTo(403);
		assertThat(call("GET", "/apps/shop/state").bearer(token).send().body()).doesNotContain("greeting");
	}

	@ParameterizedTest
	@MethodSource
	void refusesWhatTheIssuerDidNotMakeForThisService(String token) {
		assertThat(call("GET", ANNS).bearer(token).status()).isEqualTo(401);
	}

	static List<String> refusesWhatTheIssuerDidNotMakeForThisService() {
		Date past = Date.from(Instant.now().minusSeconds(3600));
		return List.of("a.b.c", "e30.e30.", Tokens.unsigned(Tokens.claims("ann")),
				Tokens.signWithForeignKey(Tokens.claims("ann")), Tokens.signWithPublicKeyAsSecret(Tokens.claims("ann")),
				Tokens.signWith(JWSAlgorithm.RS512, Tokens.claims("ann")),
				Tokens.sign(Tokens.claims("ann").issuer("https://other.example")),
				Tokens.sign(Tokens.claims("ann").issuer(null)),
				Tokens.sign(Tokens.claims("ann").audience("another-service")),
				Tokens.sign(Tokens.claims("ann").audience((String) null)),
				Tokens.sign(Tokens.claims("ann").expirationTime(past)),
				Tokens.sign(Tokens.claims("ann").expirationTime(null)),
				Tokens.sign(Tokens.claims("ann").notBeforeTime(Date.from(Instant.now().plusSeconds(3600)))),
				Tokens.sign(Tokens.claims("ann").subject(null)), Tokens.sign(Tokens.claims(" ")),
				Tokens.of("ann").replaceFirst("\\.[^.]*\\.", ".e30."));
	}

}
