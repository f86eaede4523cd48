package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.security.Visitor;

/** Who finds a session by its id alone. */
class FindByIdTests extends SecuredServiceTest {

	private static final String SESSIONS = "/apps/shop/sessions?includeState=false&sessionId=";

	@BeforeEach
	void makesSessionsOfTwoUsers() {
		for (String user : new String[] { "ann", "bob" }) {
			call("POST", "/apps/shop/users/" + user + "/sessions/both").as(Keys.AGENT).json("{}").send();
		}
		call("POST", "/apps/shop/users/ann/sessions/only-ann").as(Keys.AGENT).json("{}").send();
	}

	@ParameterizedTest
	@EnumSource(names = { "READER", "AGENT", "ADMINISTRATOR", "ADMINISTRATOR_TOKEN" })
	void whoSpeaksForAllUsersFindsThoseOfAll(Visitor visitor) {
		assertThat(users(visitor, "both")).containsExactlyInAnyOrder("ann", "bob");
		assertThat(users(visitor, "only-ann")).containsExactly("ann");
		assertThat(users(visitor, "none")).isEmpty();
	}

	@Test
	void aUserFindsTheirOwn() {
		assertThat(users(Visitor.USER, "both")).containsExactly("ann");
		assertThat(users(Visitor.USER, "only-ann")).containsExactly("ann");
		assertThat(users(Visitor.ANOTHER_USER, "both")).containsExactly("bob");
		assertThat(users(Visitor.ANOTHER_USER, "only-ann")).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "READER", "AGENT", "USER" })
	void theSessionsOfAllUsersAreForAdministratorsAllTheSame(Visitor visitor) {
		assertThat(visitor.identify(call("GET", "/apps/shop/sessions")).status()).isEqualTo(403);
		assertThat(visitor.identify(call("GET", SESSIONS)).status()).isEqualTo(400);
	}

	@Test
	void theAppHasToBeOneOfTheCallers() {
		assertThat(Visitor.ADMINISTRATOR_OF_ANOTHER_APP.identify(call("GET", SESSIONS + "both")).status())
			.isEqualTo(403);
		assertThat(call("GET", SESSIONS + "both").status()).isEqualTo(401);
	}

	private List<String> users(Visitor visitor, String sessionId) {
		JsonNode found = JsonMapper.shared()
			.readTree(visitor.identify(call("GET", SESSIONS + sessionId)).send().body());
		assertThat(found.isArray()).as(found.toString()).isTrue();
		return found.findValuesAsString("userId");
	}

}
