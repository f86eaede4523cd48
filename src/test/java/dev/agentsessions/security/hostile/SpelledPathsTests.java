package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.Route;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.security.Tokens;
import dev.agentsessions.support.ManyCases;

/** Spellings of a user id in a path that some programs take for another user id. */
class SpelledPathsTests extends SecuredServiceTest {

	private static final String STATE = "/apps/shop/users/%s/state";

	private static final String SESSION = "/apps/shop/users/%s/sessions/hidden";

	@Test
	void misspelledUserIdOpensDataOfNoUser() {
		List<String> users = List.of("bob", "ann");
		users.forEach(this::hideASecretOf);
		ManyCases.check(spelledPaths().filter((path) -> !path.route().removes()), this::checkHidden);
		ManyCases.check(spelledPaths().filter((path) -> path.route().removes()), this::checkHidden);
		users.forEach(this::checkSecretOf);
	}

	/** Other classes may have given the user state, too. */
	private void hideASecretOf(String user) {
		call("DELETE", "/apps/shop/users/" + user).as(Keys.ADMINISTRATOR).send();
		String secret = "{\"state\":{\"secret\":\"of " + user + "\"}}";
		call("POST", SESSION.formatted(user)).bearer(Tokens.of(user)).json(secret).send();
		call("PATCH", STATE.formatted(user)).bearer(Tokens.of(user)).json("{\"secret\":\"of " + user + "\"}").send();
	}

	private void checkHidden(SpelledPath path) {
		for (String credentials : List.of(Tokens.of("ann"), Keys.ADMINISTRATOR.key())) {
			HttpResponse<String> answer = path.route()
				.call(this::call, path.spelling(), "hidden", "")
				.bearer(credentials)
				.send();
			assertThat(answer.statusCode()).isLessThan(500);
			assertThat(answer.body()).doesNotContain("of bob", "of ann");
		}
	}

	/** None of the paths has removed or changed data. */
	private void checkSecretOf(String user) {
		assertThat(call("GET", SESSION.formatted(user)).bearer(Tokens.of(user)).send().body())
			.contains("\"secret\":\"of " + user);
		assertThat(call("GET", STATE.formatted(user)).bearer(Tokens.of(user)).send().body())
			.isEqualTo("{\"secret\":\"of " + user + "\"}");
	}

	private static Stream<SpelledPath> spelledPaths() {
		List<String> spellings = List.of("bob%2F", "%2Fbob", "ann%2F..%2Fbob", "..%2Fbob", "..%2F..%2Fusers%2Fbob",
				"ann%2f%2e%2e%2fbob", "bob%2F.", "bob%5C", "ann%5C..%5Cbob", "bob;x=y", "bob;", ";bob", "bob%3Bx",
				"bob%3bx", "bob%252F", "ann%252F..%252Fbob", "%2562ob", "bob%2Fsessions%2Fhidden", "bob%20",
				"%EF%BC%8Fbob", "ann/../bob", "ann/..;/bob", "./bob", "ann/%2e%2e/bob", "/bob");
		return Stream.of(Route.values())
			.filter((route) -> route.names("userId"))
			.flatMap((route) -> spellings.stream().map((spelling) -> new SpelledPath(route, spelling)));
	}

	/**
	 * A path of a route.
	 *
	 * @param route the route
	 * @param spelling what stands in the path where the user id belongs
	 */
	private record SpelledPath(Route route, String spelling) {

	}

}
