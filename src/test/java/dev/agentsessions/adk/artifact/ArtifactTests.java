package dev.agentsessions.adk.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.util.UriUtils;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Artifacts are saved, loaded, listed and deleted. */
@HttpTest
class ArtifactTests {

	private final Api api;

	private final Artifacts artifacts;

	ArtifactTests(Http http) {
		this.api = new Api(http).as("users/1");
		this.artifacts = Artifacts.of(this.api, "s1");
	}

	@Test
	void textComesBackAsText() {
		Answer saved = this.artifacts.post("a.txt", "{'text': 'Grüße 🌍'}").ok();
		assertThat(saved.text("/mimeType")).isEqualTo("text/plain");
		assertThat(saved.at("/size").intValue()).isEqualTo(12);
		assertThat(this.artifacts.get("a.txt").ok().json()).isEqualTo(Json.read(Json.of("{'text': 'Grüße 🌍'}")));
	}

	@Test
	void aBodyCanBeText() {
		this.artifacts
			.send("PUT", this.artifacts.path("a.txt") + "?part=text", "é".getBytes(StandardCharsets.UTF_8),
					"Content-Type", "text/plain")
			.ok();
		assertThat(this.artifacts.get("a.txt").ok().text("/text")).isEqualTo("é");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3, 262_143, 262_144, 262_145, 1_000_000 })
	void bytesComeBackInEitherWay(int length) {
		byte[] bytes = new byte[length];
		new Random(length).nextBytes(bytes);
		for (String data : List.of(Base64.getEncoder().encodeToString(bytes),
				Base64.getUrlEncoder().encodeToString(bytes),
				Base64.getUrlEncoder().withoutPadding().encodeToString(bytes))) {
			this.artifacts.post("a.png", "{'inlineData': {'mimeType': 'image/png', 'data': '%s'}}".formatted(data))
				.ok();
			this.artifacts.assertHasBytes("a.png", bytes);
		}
		this.artifacts.put("a.png", bytes, "Content-Type", "image/png").ok();
		this.artifacts.assertHasBytes("a.png", bytes);
		Answer part = this.artifacts.get("a.png").ok();
		assertThat(Base64.getDecoder().decode(part.text("/inlineData/data"))).isEqualTo(bytes);
		assertThat(part.text("/inlineData/mimeType")).isEqualTo("image/png");
		assertThat(this.artifacts.versions("a.png")).containsExactly(0, 1, 2, 3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "A", "AAAAA", "AA=A", "no base64!", "ü", "AAAA====", "YQ==YQ==" })
	void whatIsNoBase64IsRefused(String data) {
		this.artifacts.post("a", "{'inlineData': {'data': '%s'}}".formatted(data)).problem(422, "VALIDATION_FAILED");
		assertThat(this.artifacts.names()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{'inlineData': {}}", "{'inlineData': {'data': 1}}", "{'text': 1}",
			"{'fileData': {}}", "{'inlineData': {'data': null}}" })
	void aPartWithoutContentIsRefused(String part) {
		this.artifacts.post("a", part).problem(422, "VALIDATION_FAILED");
		assertThat(this.artifacts.names()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'text': '\\ud800'}", "{'fileData': {'fileUri': ''}}",
			"{'fileData': {'fileUri': 'http://x/\\u0000'}}", "{'inlineData': {'data': 'AA', 'mimeType': 'ü'}}" })
	void whatCannotComeBackAsItWasIsRefused(String part) {
		assertThat(this.artifacts.post("a", part).status()).isIn(400, 422);
		assertThat(this.artifacts.names()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "%zz", "{", "[]", "%ff", "" })
	void customMetadataIsAnObject(String header) {
		this.artifacts.put("a", new byte[1], "X-Custom-Metadata", header).problem(400, "INVALID_ARGUMENT");
		assertThat(this.artifacts.names()).isEmpty();
	}

	@Test
	void metadataSaysWhatWasSaved() {
		Answer saved = this.artifacts
			.put("a b.csv", "x", "Content-Type", "text/csv", "X-Custom-Metadata", "%7B%22k%22%3A%22%C3%BC%22%7D")
			.ok();
		assertThat(saved.text("/canonicalUri")).startsWith("artifact://apps/")
			.endsWith("/sessions/s1/artifacts/a b.csv/versions/0");
		assertThat(saved.text("/customMetadata/k")).isEqualTo("ü");
		assertThat(this.artifacts.get("a b.csv", "/0/metadata").ok().json()).isEqualTo(saved.json());
		assertThat(this.artifacts.get("a b.csv", "/latest/metadata").ok().json()).isEqualTo(saved.json());
		assertThat(this.artifacts.get("a b.csv", "/metadata").ok().at("/0")).isEqualTo(saved.json());
		this.artifacts.put("a b.csv", "x", "X-Custom-Metadata", "[]").problem(400, "INVALID_ARGUMENT");
	}

	/** As ADK's own parser reads it: {@code get_artifact_uri} encodes nothing. */
	@ParameterizedTest
	@CsvSource({ "ann@x.org, a b/ü.csv, true", "a b, user:100%.txt, true", "dep/ann, a/versions/0, true",
			"100%, a\\b?c#d, true", "ä+ö, x%41, false", "a%2fb, x, false" })
	void theUriIsAdksUnlessItWouldNameSomethingElse(String user, String name, boolean adks) {
		Api other = this.api.as(user);
		other.create("{'sessionId': 's 1'}").ok();
		Artifacts artifacts = new Artifacts(other, other.sessionPath("s 1"));
		String uri = artifacts.post(name, "{'text': 'x'}").ok().text("/canonicalUri");
		String owner = name.startsWith("user:") ? "" : "/sessions/s 1";
		String plain = "artifact://apps/" + other.app() + "/users/" + user + owner + "/artifacts/" + name
				+ "/versions/0";
		String encoded = "artifact://apps/" + encoded(other.app()) + "/users/" + encoded(user)
				+ (owner.isEmpty() ? "" : "/sessions/s%201") + "/artifacts/" + encoded(name) + "/versions/0";
		assertThat(uri).isEqualTo(adks ? plain : encoded);
		for (String reference : List.of(uri, encoded)) {
			artifacts.post("reference", "{'fileData': {'fileUri': '%s'}}".formatted(reference.replace("\\", "\\\\")))
				.ok();
			assertThat(artifacts.get("reference").ok().text("/text")).isEqualTo("x");
		}
	}

	private static String encoded(String name) {
		return UriUtils.encodePathSegment(name, StandardCharsets.UTF_8);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a/b.txt", "versions", "metadata", "latest", "a:list", "user:a/b", "ä ö.txt", "100%.txt",
			"a;b", "a\\b", "users", "a.b/.c", "a/versions", "sessions/a", "a/apps/b", "user:a/users", "a/versions/0" })
	void namesMayHave(String name) {
		this.artifacts.put(name, name, "Content-Type", "text/plain").ok();
		assertThat(this.artifacts.names()).containsExactly(name);
		this.artifacts.assertHasBytes(name, name.getBytes(StandardCharsets.UTF_8));
		assertThat(this.artifacts.versions(name)).containsExactly(0);
		assertThat(this.artifacts.delete(name).status()).isEqualTo(204);
		assertThat(this.artifacts.names()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a/../b", "a//b", "/a", "a/", "user:", "user:/a", "a/./b", "\u0000" })
	void namesMayNotHave(String name) {
		this.artifacts.post(name, "{'text': 'x'}").problem(400, "INVALID_ARGUMENT");
		assertThat(this.artifacts.names()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "1, 404", "-1, 404", "2147483647, 404", "4294967295, 404", "99999999999, 400", "newest, 400" })
	void aVersionThatIsNotThereIs(String version, int status) {
		this.artifacts.put("a", "x").ok();
		for (String below : List.of("/" + version, "/" + version + "/metadata", "/" + version + ":content")) {
			int answered = this.artifacts.get("a", below).status();
			assertThat(answered).as(below).isIn(status, 400);
		}
		assertThat(this.artifacts.get("a", "/0").status()).isEqualTo(200);
	}

	@Test
	void whatIsAbsentIsNotFound() {
		this.artifacts.get("a").problem(404, "ARTIFACT_NOT_FOUND");
		this.artifacts.get("a", "/latest/metadata").problem(404, "ARTIFACT_NOT_FOUND");
		assertThat(this.artifacts.versions("a")).isEmpty();
		assertThat(this.artifacts.delete("a").status()).isEqualTo(204);
		Artifacts missing = new Artifacts(this.api, this.api.sessionPath("missing"));
		missing.get("a").problem(404, "SESSION_NOT_FOUND");
		missing.put("a", "x").problem(404, "SESSION_NOT_FOUND");
		missing.post("a", "{'text': 'x'}").problem(404, "SESSION_NOT_FOUND");
		missing.get("a", "").problem(404, "SESSION_NOT_FOUND");
	}

	@Test
	void whatIsTakenBackIsNotFound() {
		this.artifacts.put("a", "x").ok();
		this.artifacts.put("a", "").ok();
		this.artifacts.get("a").problem(404, "ARTIFACT_NOT_FOUND");
		assertThat(this.artifacts.names()).isEmpty();
		assertThat(this.artifacts.versions("a")).containsExactly(0, 1);
		assertThat(this.artifacts.get("a", "/0").ok().text("/inlineData/data")).isEqualTo("eA==");
	}

	@Test
	void deletedVersionsLeaveTheOthers() {
		for (String text : new String[] { "0", "1", "2" }) {
			this.artifacts.put("a", text).ok();
		}
		assertThat(this.api.http().delete(this.artifacts.path("a") + "/versions/2").status()).isEqualTo(204);
		assertThat(this.artifacts.versions("a")).containsExactly(0, 1);
		this.artifacts.assertHasBytes("a", new byte[] { '1' });
		assertThat(this.artifacts.put("a", "3").ok().at("/version").intValue()).isEqualTo(3);
		assertThat(this.artifacts.versions("a")).containsExactly(0, 1, 3);
	}

	/** An event may have named the deleted version; a later one must not look like it. */
	@Test
	void theNumberOfADeletedVersionIsNotUsedAgain() {
		Artifacts user = Artifacts.ofUser(this.api);
		for (Artifacts owner : List.of(this.artifacts, user)) {
			owner.put("last", "x").ok();
			assertThat(this.api.http().delete(owner.path("last") + "/versions/0").status()).isEqualTo(204);
			assertThat(owner.versions("last")).isEmpty();
			owner.get("last").problem(404, "ARTIFACT_NOT_FOUND");
			assertThat(owner.names()).isEmpty();
			assertThat(this.api.http().get(owner.path() + "/artifacts:list").ok().at("/artifacts")).isEmpty();
			owner.put("last", "y", "If-Match", "*").problem(412, "STALE_ARTIFACT");
			assertThat(owner.put("last", "y", "If-None-Match", "*").ok().at("/version").intValue()).isEqualTo(1);
			assertThat(owner.delete("last").status()).isEqualTo(204);
			assertThat(owner.put("last", "z").ok().at("/version").intValue()).isZero();
			owner.delete("last");
		}
	}

	@Test
	void aUserHasArtifactsWithoutASession() {
		Artifacts user = Artifacts.ofUser(this.api);
		assertThat(user.put("photo", "x").ok().text("/filename")).isEqualTo("user:photo");
		assertThat(user.put("user:photo", "y").ok().at("/version").intValue()).isEqualTo(1);
		Artifacts other = Artifacts.of(this.api, "s2");
		other.assertHasBytes("user:photo", new byte[] { 'y' });
		other.get("photo").problem(404, "ARTIFACT_NOT_FOUND");
		this.artifacts.put("own", "z").ok();
		assertThat(this.artifacts.names()).containsExactly("own", "user:photo");
		assertThat(user.names()).containsExactly("user:photo");
		assertThat(Artifacts.ofUser(this.api.as("bob")).names()).isEmpty();
	}

	@Test
	void aDeletedSessionHasNone() {
		this.artifacts.put("a", "x").ok();
		Artifacts.ofUser(this.api).put("b", "x").ok();
		this.api.http().delete(this.api.sessionPath("s1"));
		this.artifacts.get("a").problem(404, "SESSION_NOT_FOUND");
		this.api.create("{'sessionId': 's1'}").ok();
		assertThat(this.artifacts.names()).containsExactly("user:b");
		assertThat(this.artifacts.put("a", "y").ok().at("/version").intValue()).isZero();
	}

	@Test
	void listsHavePages() {
		for (String name : List.of("c", "a", "b")) {
			this.artifacts.put(name, name).ok();
		}
		String list = this.artifacts.path() + "/artifacts:list?limit=2";
		Answer first = this.api.http().get(list).ok();
		assertThat(first.at("/artifacts").valueStream().map((item) -> item.path("filename").stringValue()))
			.containsExactly("a", "b");
		String token = "&pageToken=" + first.text("/nextPageToken");
		Answer last = this.api.http().get(list + token).ok();
		assertThat(last.text("/artifacts/0/filename")).isEqualTo("c");
		assertThat(last.json().has("nextPageToken")).isFalse();
		Artifacts other = Artifacts.of(this.api, "s2");
		this.api.http().get(other.path() + "/artifacts:list?limit=2" + token).problem(400, "INVALID_ARGUMENT");
		this.api.http().get(this.api.userPath() + "/artifacts:list?limit=2" + token).problem(400, "INVALID_ARGUMENT");
		this.api.http().get(this.artifacts.path() + "/artifacts:list?limit=0").problem(400, "INVALID_ARGUMENT");
	}

}
