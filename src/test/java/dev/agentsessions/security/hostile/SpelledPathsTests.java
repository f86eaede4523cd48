package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.Route;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.security.Tokens;

/** Ways to write a user in a path that some program takes for another user. */
@TestInstance(Lifecycle.PER_CLASS)
class SpelledPathsTests extends SecuredServiceTest {

	@BeforeAll
	void hidesASecretOfBob() {
		hideASecretOf("bob");
	}

	private void hideASecretOf(String user) {
		String secret = "{\"state\":{\"secret\":\"of " + user + "\"}}";
		call("POST", "/apps/shop/users/" + user + "/sessions/hidden").bearer(Tokens.of(user)).json(secret).send();
		call("PATCH", "/apps/shop/users/" + user + "/state").bearer(Tokens.of(user))
			.json("{\"secret\":\"of " + user + "\"}")
			.send();
	}

	@ParameterizedTest(name = "{0} at {1}")
	@MethodSource
	void decideByTheNameAndNotByThePath(Route route, String spelling) {
		hideASecretOf("ann");
		for (String credentials : List.of(Tokens.of("ann"), Keys.ADMINISTRATOR.key())) {
			HttpResponse<String> answer = route.call(this::call, spelling, "hidden", "").bearer(credentials).send();
			assertThat(answer.statusCode()).isLessThan(500);
			assertThat(answer.body()).doesNotContain("of bob", "of ann");
		}
		assertThat(call("GET", "/apps/shop/users/bob/sessions/hidden").bearer(Tokens.of("bob")).send().body())
			.contains("of bob");
	}

	static Stream<Arguments> decideByTheNameAndNotByThePath() {
		List<String> spellings = List.of("bob%2F", "%2Fbob", "ann%2F..%2Fbob", "..%2Fbob", "..%2F..%2Fusers%2Fbob",
				"ann%2f%2e%2e%2fbob", "bob%2F.", "bob%5C", "ann%5C..%5Cbob", "bob;x=y", "bob;", ";bob", "bob%3Bx",
				"bob%3bx", "bob%252F", "ann%252F..%252Fbob", "%2562ob", "bob%2Fsessions%2Fhidden", "bob%20",
				"%EF%BC%8Fbob", "ann/../bob", "ann/..;/bob", "./bob", "ann/%2e%2e/bob", "/bob");
		return Stream.of(Route.values())
			.filter((route) -> route.names("userId"))
			.flatMap((route) -> spellings.stream().map((spelling) -> Arguments.of(route, spelling)));
	}

}
