package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;

import dev.agentsessions.security.ApiKeys.ApiKey;

/** API keys open the service, in either header. */
class ApiKeysTests extends SecuredServiceTest {

	private static final String SESSIONS = "/apps/shop/users/ann/sessions";

	@Test
	void acceptsAKeyAsBearer() {
		assertThat(call("GET", SESSIONS).as(Keys.AGENT).status()).isEqualTo(200);
	}

	@Test
	void acceptsAKeyInTheHeaderOfGooglesClients() {
		assertThat(call("GET", SESSIONS).header("x-goog-api-key", Keys.AGENT.key()).status()).isEqualTo(200);
	}

	@Test
	void takesTheKeyOfGooglesClientsBeforeTheTokenBesideIt() {
		assertThat(call("GET", SESSIONS).header("x-goog-api-key", Keys.AGENT.key()).bearer("dev-token").status())
			.isEqualTo(200);
	}

	@Test
	void asksForAKeyWhereThereIsNone() {
		HttpResponse<String> answer = call("GET", SESSIONS).send();
		assertThat(answer.statusCode()).isEqualTo(401);
		assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
		assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
		assertThat(answer.body()).contains("\"code\":\"UNAUTHENTICATED\"", "x-goog-api-key");
	}

	@Test
	void refusesAKeyItDoesNotKnowWithoutRepeatingIt() {
		HttpResponse<String> answer = call("GET", SESSIONS).bearer("as_guessed").send();
		assertThat(answer.statusCode()).isEqualTo(401);
		assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer error=\"invalid_token\"");
		assertThat(answer.body()).contains("\"code\":\"UNAUTHENTICATED\"").doesNotContain("as_guessed");
	}

	@Test
	void refusesTheHashInThePlaceOfTheKey() {
		String hash = HexFormat.of().formatHex(ApiKey.hash(Keys.AGENT.key()));
		assertThat(call("GET", SESSIONS).bearer(hash).status()).isEqualTo(401);
	}

	@Test
	void refusesAKeyInTheAddress() {
		assertThat(call("GET", SESSIONS + "?key=" + Keys.AGENT.key()).status()).isEqualTo(401);
		assertThat(call("GET", SESSIONS + "?access_token=" + Keys.AGENT.key()).status()).isEqualTo(401);
	}

	@Test
	void refusesCredentialsOfAnotherKindOrWithoutText() {
		assertThat(call("GET", SESSIONS).header("Authorization", "Basic YTpi").status()).isEqualTo(401);
		assertThat(call("GET", SESSIONS).header("Authorization", "Bearer").status()).isEqualTo(401);
		assertThat(call("GET", SESSIONS).header("Authorization", "Bearer a b").status()).isEqualTo(401);
		assertThat(call("GET", SESSIONS).header("x-goog-api-key", " ").status()).isEqualTo(401);
	}

	@Test
	void opensOnlyTheAppsOfTheKey() {
		HttpResponse<String> answer = call("GET", "/apps/bank/users/ann/sessions").as(Keys.AGENT).send();
		assertThat(answer.statusCode()).isEqualTo(403);
		assertThat(answer.body()).contains("\"code\":\"FORBIDDEN\"");
		assertThat(call("GET", "/apps/Shop/users/ann/sessions").as(Keys.AGENT).status()).isEqualTo(403);
		assertThat(call("GET", "/apps/anything/users/ann/sessions").as(Keys.EVERYWHERE).status()).isEqualTo(200);
	}

	@Test
	void listsOnlyTheAppsOfTheKey() {
		call("POST", SESSIONS).as(Keys.AGENT).send();
		call("POST", "/apps/bank/users/ann/sessions").as(Keys.FOREIGN_APP).send();
		assertThat(call("GET", "/list-apps").as(Keys.AGENT).send().body()).contains("shop").doesNotContain("bank");
	}

	@Test
	void startsNoHttpSession() {
		assertThat(call("GET", SESSIONS).as(Keys.AGENT).send().headers().map()).doesNotContainKey("Set-Cookie");
		assertThat(call("GET", SESSIONS).send().headers().map()).doesNotContainKey("Set-Cookie");
	}

	@Test
	void tellsInTheDocumentHowToSendAKey() {
		assertThat(call("GET", "/v3/api-docs/adk").send().body()).contains("\"securitySchemes\"",
				"\"name\":\"x-goog-api-key\"", "\"security\":[{\"apiKey\":[]}", "401 UNAUTHENTICATED");
	}

	@Test
	void namesInTheJarWhatItIsMadeOf() throws IOException {
		String sbom = new ClassPathResource("META-INF/sbom/application.cdx.json")
			.getContentAsString(StandardCharsets.UTF_8);
		assertThat(sbom).contains("pkg:maven/org.springframework.security/spring-security-web@");
	}

}
