package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Erasing users over HTTP. */
@HttpTest
class UserControllerTests {

	private final Api api;

	UserControllerTests(Http http) {
		this.api = new Api(http);
	}

	@Test
	void erasesAUserAndSaysHowMuchThereWas() {
		this.api.create("{'sessionId': 's1', 'state': {'a': 1, 'user:b': 2, 'app:c': 3}}").ok();
		this.api.create("{'sessionId': 's2', 'events': [{'author': 'user'}, {'author': 'agent'}]}").ok();
		this.api.as("bob").create("{'sessionId': 's1'}").ok();

		Answer erased = this.api.http().delete(this.api.userPath()).ok();

		assertThat(erased.json()).isEqualTo(Json.read("{\"sessions\":2,\"events\":2,\"userStateKeys\":1}"));
		this.api.get("s1").problem(404, "SESSION_NOT_FOUND");
		assertThat(this.api.list("").json()).isEmpty();
		assertThat(this.api.as("bob").get("s1").ok().at("/state")).isEqualTo(Json.read("{\"app:c\":3}"));
	}

	@Test
	void hasNothingToEraseOfAUserWhoIsNotThere() {
		Answer erased = this.api.http().delete(this.api.userPath()).ok();

		assertThat(erased.json()).isEqualTo(Json.read("{\"sessions\":0,\"events\":0,\"userStateKeys\":0}"));
	}

	@Test
	void refusesANameThatNoUserCanHave() {
		this.api.http().delete(this.api.appPath() + "/users/%20").problem(400, "INVALID_ARGUMENT");
		assertThat(this.api.http().delete(this.api.appPath() + "/users/").status()).isEqualTo(405);
	}

}
