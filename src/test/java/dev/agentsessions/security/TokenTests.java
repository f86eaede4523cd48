package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Date;
import java.util.List;

import com.nimbusds.jose.JWSAlgorithm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
		assertThat(AccessMatrixTests.withoutRequestId(missing).replace("missing", "secret"))
			.isEqualTo(AccessMatrixTests.withoutRequestId(there));
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

	@Test
	void findsOnlyTheSessionsOfItsUserByTheirIdAlone() {
		String engine = "/v1beta1/projects/p/locations/l/reasoningEngines/shop/sessions";
		call("POST", ANNS + "/same").bearer(Tokens.of("ann")).json("{\"state\":{\"whose\":\"anns\"}}").send();
		call("POST", BOBS + "/same").bearer(Tokens.of("bob")).json("{\"state\":{\"whose\":\"bobs\"}}").send();
		assertThat(call("GET", engine + "/same").bearer(Tokens.of("ann")).send().body()).contains("anns");
		assertThat(call("GET", engine + "/same").bearer(Tokens.of("bob")).send().body()).contains("bobs");
		assertThat(call("GET", engine + "/same").bearer(Tokens.of("eve")).status()).isEqualTo(404);
		assertThat(call("GET", engine).bearer(Tokens.of("ann")).status()).isEqualTo(403);
	}

	@Test
	void answersInTheFormOfTheDialect() {
		String session = "/v1beta1/projects/p/locations/l/reasoningEngines/shop/sessions/s";
		assertThat(call("GET", session).send().body()).contains("\"status\":\"UNAUTHENTICATED\"", "\"code\":401");
		assertThat(call("GET", session.replace("shop", "bank")).bearer(Tokens.of("ann")).send().body())
			.contains("\"status\":\"PERMISSION_DENIED\"", "\"code\":403");
	}

	@Test
	void tellsNobodyWhetherASessionIsThereInAnAppThatIsNotHis() {
		call("POST", "/apps/bank/users/ann/sessions/there").as(Keys.FOREIGN_APP).send();
		String engine = "/v1beta1/projects/p/locations/l/reasoningEngines/bank/sessions/";
		String there = call("GET", engine + "there").as(Keys.AGENT).send().body();
		assertThat(there).contains("PERMISSION_DENIED");
		String missing = call("GET", engine + "missing").as(Keys.AGENT).send().body();
		assertThat(AccessMatrixTests.withoutRequestId(missing)).isEqualTo(AccessMatrixTests.withoutRequestId(there));
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
