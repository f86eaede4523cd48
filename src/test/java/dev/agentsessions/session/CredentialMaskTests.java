package dev.agentsessions.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Secrets.CredentialMask;

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
	@ValueSource(strings = { "{\"token\":\"x\",\"promptTokenCount\":7,\"nextPageToken\":\"eyJ\"}",
			"{\"password\":null,\"api_key\":true}",
			"{\"cookie\":\"oatmeal\",\"author\":\"agent\",\"accessTokenCount\":3}",
			"{\"authType\":\"http\",\"token\":null}",
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
		assertThat(mask(deep.replace("authType", "type").replace("apiKey", "key"))).contains("s3cret");
	}

	@Test
	void findsAMaskOnlyInPlaceOfASecret() {
		assertThat(CredentialMask.isIn(new JsonText("{\"authType\":\"apiKey\",\"apiKey\":\"[masked]\"}"))).isTrue();
		assertThat(CredentialMask.isIn(new JsonText("{\"authType\":\"[masked]\",\"text\":\"[masked]\"}"))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'user:api_key':'s3cret'}", "{'OPENAI_API_KEY':'s3cret'}", "{'x-goog-api-key':'s3cret'}",
			"{'openaiApiKey':'s3cret'}", "{'X-API-Key':['s3cret']}", "{'a':{'refreshToken':'s3cret'}}",
			"{'password':{'value':'s3cret'}}", "{'Proxy-Authorization':'Basic s3cret'}",
			"{'headers':{'Cookie':'s3cret'}}", "{'requestHeaders':[{'name':'Authorization','value':'s3cret'}]}",
			"{'Set-Cookie':'sid=s3cret; HttpOnly'}", "{'key':'client_secret','value':'s3cret'}",
			"{'text':'[{\\'access_token\\':\\'s3cret\\'}]'}", "{'password':12345,'x':{'idToken':'s3cret'}}",
			"{'text':'{}, \\'b\\':{\\'api_key\\':\\'s3cret\\'}'}", "{'text':'password=s3cret'}" })
	void masksAMemberWithTheNameOfASecret(String json) {
		String masked = mask(json.replace('\'', '"'));
		assertThat(masked).doesNotContain("s3cret", "12345");
		assertThat(CredentialMask.isIn(new JsonText(masked))).isTrue();
		assertThat(mask(masked)).isEqualTo(masked);
	}

	@Test
	void masksATextThatIsAFileInAnEvent() {
		String file = "{\"mimeType\":\"text/plain\",\"data\":\"cGFzc3dvcmQ9czNjcmV0\"}";
		assertThat(mask(file)).isEqualTo("{\"mimeType\":\"text/plain\",\"data\":\"cGFzc3dvcmQ9W21hc2tlZF0=\"}");
		String image = file.replace("text/plain", "image/png");
		assertThat(mask(image)).isEqualTo(image);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Authorization: Bearer s3cretvalue",
			"curl -H 'authorization: Basic s3cretvalue' https://x",
			"Authorization: AWS4-HMAC-SHA256 Credential=s3cret/x, SignedHeaders=a;b, Signature=s3cret",
			"401 for Bearer s3cretvalue", "password=s3cret", "it has \"api_key\": \"a s3cret\\\"s3cret\", and more",
			"it has \\\"api_key\\\": \\\"a s3cret\\\", and more", "export OPENAI_API_KEY=s3cret", "PASSWORD : s3cret",
			"client secret: s3cret", "https://x/?access_token=s3cret&b=1", "googleIdToken='s3cret'",
			"Set-Cookie: sid=s3cret; Path=/", "Cookie: a=s3cret; b=s3cret", "{\"password\": \"s3cret cut",
			"-----BEGIN RSA PRIVATE KEY-----\ns3cret\n-----END RSA PRIVATE KEY-----",
			"-----BEGIN PRIVATE KEY-----\\ns3cret", "x AIzas3cret0123456789", "ya29.s3cret-012345",
			"sk-proj-s3cret0123456789", "(ghp_s3cret0123456789)", "github_pat_s3cret0123456789", "xoxb-s3cret-0123",
			"GOCSPX-s3cret012", "key%20sk-s3cret0123456789", "line\\nsk-s3cret0123456789", "1//0s3cret0123456789",
			"eyJs3cret01.eyJs3cret01.s3cret_-", "at eyJs3cret01.eyJs3cret01.s3cret_-. Then" })
	void masksASecretInAText(String text) {
		String masked = Secrets.MASKED.of(text);
		assertThat(masked).doesNotContain("s3cret").contains("[masked]");
		assertThat(Secrets.MASKED.of(masked)).isEqualTo(masked);
		assertThat(Secrets.WHOLE.of(text)).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "The password is required", "Bearer authentication failed", "tokens: 17", "password: null",
			"a task-oriented-list-of-many-things", "sk-learn-pipeline", "next page token: eyJhbGciOiJIUzI1",
			"password_hash: yes", "author: me", "valid token: 3", "a cookie: tasty",
			"{\"promptTokenCount\": 5, \"nextPageToken\": \"abc\"}", "AKIA" })
	void leavesATextWithoutSecretsAsItIs(String text) {
		assertThat(Secrets.MASKED.of(text)).isEqualTo(text);
	}

	@Test
	void keepsWhatIsAroundASecret() {
		assertThat(Secrets.MASKED.of("a \"api_key\": \"x\", b=1; password=y&c=2 (Bearer abcdefgh) z"))
			.isEqualTo("a \"api_key\": \"[masked]\", b=1; password=[masked]&c=2 (Bearer [masked]) z");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "eyJ", "eyJaaaa.", "password=\"", "password=\\\"", "-----BEGIN PRIVATE KEY-----",
			"sk-", "Bearer ", "id_token", "api_key\": ", "\\", "\"", "{\"a\":", "[", "Cookie: a=b; ",
			"authorization: a b, c=" })
	void needsTimeThatGrowsWithTheLengthOnly(String repeated) {
		String text = repeated.repeat(2_000_000 / repeated.length());
		assertTimeoutPreemptively(Duration.ofSeconds(60), () -> Secrets.MASKED.of(text));
	}

	private static String mask(String json) {
		return CredentialMask.apply(new JsonText(json)).text();
	}

}
