package dev.agentsessions.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.json.JsonText;

/** Which values of events and state are secrets. */
class CredentialMaskTests {

	@ParameterizedTest
	@ValueSource(strings = { "{\"authType\":\"apiKey\",\"apiKey\":\"s3cret\"}",
			"{\"apiKey\":\"s3cret\",\"authType\":\"apiKey\"}",
			"{\"a\":[{\"auth_type\":\"http\",\"token\":\"s3cret\"}]}",
			"{\"\\u0061uthType\":\"apiKey\",\"\\u0061piKey\":\"s3cret\"}",
			"{\"rawAuthCredential\":{\"oauth2\":{\"clientSecret\":\"s3cret\"}}}",
			"{\"requested_auth_configs\":{\"c1\":{\"x\":{\"id_token\":\"s3cret\"}}}}",
			"{\"name\":\"adk_request_credential\",\"response\":{\"authCode\":\"s3cret\"}}",
			"{\"authType\":\"http\",\"additionalHeaders\":{\"X\":[\"s3cret\"]}}",
			"{\"name\":\"adk_request_cre\\u0064ential\",\"name\":\"x\",\"response\":{\"authCode\":\"s3cret\"}}",
			"{\"user:rawAuthCredential\":{\"oauth2\":{\"clientSecret\":\"s3cret\"}}}",
			"\"[{\\\"token\\\": \\\"s3cret\\\", \\\"token_uri\\\": \\\"https://t\\\"}]\"",
			"\"{\\\"token\\\": \\\"s3cret\\\", \\\"token_uri\\\": \\\"https://t\\\"}\"" })
	void masksASecret(String json) {
		assertThat(mask(json)).doesNotContain("s3cret").hasSize(json.length() + "[masked]".length() - 6);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"token\":\"x\",\"password\":\"y\"}", "{\"authType\":\"http\",\"token\":null}",
			"{\"authType\":\"http\",\"http\":{\"scheme\":\"basic\",\"username\":\"ann\"}}",
			"{\"text\":\"{\\\"authType\\\": is no JSON\"}", "{ \"token_uri\" : 1.0e2 }", "[]", "1" })
	void leavesEverythingElseAsItIs(String json) {
		assertThat(mask(json)).isEqualTo(json);
	}

	@Test
	void masksStateByItsKeys() {
		JsonText credential = new JsonText("{\"oauth2\":{\"clientSecret\":\"s3cret\"}}");
		Map<String, JsonText> state = Map.of("exchangedAuthCredential", credential, "city", new JsonText("\"Oslo\""));
		assertThat(Secrets.MASKED.of(state)).containsEntry("city", new JsonText("\"Oslo\""))
			.containsEntry("exchangedAuthCredential", new JsonText("{\"oauth2\":{\"clientSecret\":\"[masked]\"}}"));
	}

	@Test
	void masksADeepValueAsAWhole() {
		String deep = "{\"a\":".repeat(200) + "{\"authType\":\"apiKey\",\"apiKey\":\"s3cret\"}" + "}".repeat(200);
		assertThat(mask(deep)).doesNotContain("s3cret").contains("[masked]");
		assertThat(mask(deep.replace("authType", "type"))).contains("s3cret");
	}

	@Test
	void findsAMaskOnlyInPlaceOfASecret() {
		assertThat(CredentialMask.isIn(new JsonText("{\"authType\":\"apiKey\",\"apiKey\":\"[masked]\"}"))).isTrue();
		assertThat(CredentialMask.isIn(new JsonText("{\"authType\":\"[masked]\",\"text\":\"[masked]\"}"))).isFalse();
	}

	private static String mask(String json) {
		return CredentialMask.apply(new JsonText(json)).text();
	}

}
