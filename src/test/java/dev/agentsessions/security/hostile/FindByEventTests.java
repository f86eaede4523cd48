package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.security.Visitor;

/** Who finds sessions by their events: only callers that may list them. */
class FindByEventTests extends SecuredServiceTest {

	@BeforeEach
	void makesSessionsOfTwoUsers() {
		for (String user : List.of("ann", "bob")) {
			call("POST", "/apps/shop/users/" + user + "/sessions/failed-" + user)
				.json("{\"events\":[{\"author\":\"a\",\"errorCode\":\"E\",\"content\":{\"parts\":["
						+ "{\"functionCall\":{\"name\":\"f\"}}]}}]}")
				.as(Keys.AGENT)
				.send();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "error=true", "tool=f", "author=a", "from=0", "prefix=failed" })
	void onlyAdministratorsFindThoseOfAllUsers(String query) {
		String list = "/apps/shop/sessions?" + query;
		assertThat(users(Visitor.ADMINISTRATOR, list)).contains("ann", "bob");
		for (Visitor visitor : List.of(Visitor.READER, Visitor.AGENT, Visitor.USER,
				Visitor.ADMINISTRATOR_OF_ANOTHER_APP)) {
			assertThat(visitor.identify(call("GET", list)).status()).isEqualTo(403);
		}
		assertThat(call("GET", list).status()).isEqualTo(401);
	}

	@ParameterizedTest
	@ValueSource(strings = { "error=true", "tool=f", "author=a", "from=0", "prefix=failed" })
	void aUserFindsTheirOwn(String query) {
		String list = "/apps/shop/users/ann/sessions?" + query;
		assertThat(users(Visitor.USER, list)).containsOnly("ann");
		assertThat(users(Visitor.READER, list)).containsOnly("ann");
		assertThat(Visitor.ANOTHER_USER.identify(call("GET", list)).status()).isEqualTo(403);
		assertThat(users(Visitor.USER, "/apps/shop/sessions?sessionId=failed-ann&" + query)).containsExactly("ann");
		assertThat(users(Visitor.ANOTHER_USER, "/apps/shop/sessions?sessionId=failed-ann&" + query)).isEmpty();
	}

	private List<String> users(Visitor visitor, String list) {
		String body = visitor.identify(call("GET", list)).send().body();
		return JsonMapper.shared().readTree(body).findValuesAsString("userId");
	}

}
