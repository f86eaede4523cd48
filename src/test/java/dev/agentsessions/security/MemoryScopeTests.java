package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose memories a caller reaches over the Vertex AI API. */
class MemoryScopeTests extends SecuredServiceTest {

	private static final String MEMORIES = "/v1beta1/projects/p/locations/l/reasoningEngines/shop/memories";

	private static final String OF_ANN = "{\"app_name\":\"shop\",\"user_id\":\"ann\"}";

	private static final String OTHER = "{\"user_id\":\"ann\"}";

	@BeforeEach
	void create() {
		assertThat(create("of-ann", OF_ANN).as(Keys.AGENT).status()).isEqualTo(200);
		assertThat(create("other", OTHER).as(Keys.AGENT).status()).isEqualTo(200);
	}

	private Call create(String id, String scope) {
		return call("POST", MEMORIES + "?memoryId=" + id).json("{\"fact\":\"likes tea\",\"scope\":" + scope + "}");
	}

	@Test
	void aUserReachesOnlyTheMemoriesOfThisUser() {
		String ann = Tokens.of("ann");
		assertThat(call("GET", MEMORIES + "/of-ann").bearer(ann).status()).isEqualTo(200);
		assertThat(call("GET", MEMORIES + "/other").bearer(ann).status()).isEqualTo(404);
		assertThat(retrieve(OF_ANN).bearer(ann).status()).isEqualTo(200);
		assertThat(retrieve(OTHER).bearer(ann).status()).isEqualTo(403);
		assertThat(create("more", OTHER).bearer(ann).status()).isEqualTo(403);
		assertThat(call("GET", MEMORIES).bearer(ann).status()).isEqualTo(403);
	}

	@Test
	void aUserCannotTellWhetherAnotherUserHasAMemory() {
		String bob = Tokens.of("bob");
		for (String method : new String[] { "GET", "DELETE" }) {
			HttpResponse<String> there = call(method, MEMORIES + "/of-ann").bearer(bob).send();
			HttpResponse<String> missing = call(method, MEMORIES + "/none").bearer(bob).send();
			assertThat(there.statusCode()).isEqualTo(404).isEqualTo(missing.statusCode());
		}
		assertThat(retrieve(OF_ANN).bearer(bob).status()).isEqualTo(403);
		assertThat(call("GET", MEMORIES + "/of-ann").as(Keys.AGENT).status()).isEqualTo(200);
	}

	@Test
	void onlyAdministratorsListTheMemoriesOfAllScopes() {
		assertThat(retrieve(OTHER).as(Keys.AGENT).status()).isEqualTo(200);
		assertThat(call("GET", MEMORIES).as(Keys.AGENT).status()).isEqualTo(403);
		assertThat(call("GET", MEMORIES).as(Keys.ADMINISTRATOR).send().body()).contains("of-ann", "other");
	}

	private Call retrieve(String scope) {
		return call("POST", MEMORIES + ":retrieve").json("{\"scope\":" + scope + "}");
	}

}
