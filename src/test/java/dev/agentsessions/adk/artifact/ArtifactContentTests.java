package dev.agentsessions.adk.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** The raw bytes of artifacts, and the conditions of requests. */
@HttpTest
class ArtifactContentTests {

	private final Api api;

	private final Artifacts artifacts;

	ArtifactContentTests(Http http) {
		this.api = new Api(http);
		this.artifacts = Artifacts.of(this.api, "s1");
	}

	@ParameterizedTest
	@CsvSource({ "image/png, image/png, inline", "text/html, application/octet-stream, attachment",
			"image/svg+xml, application/octet-stream, attachment", "application/pdf, application/pdf, attachment",
			"multipart/form-data;boundary=x, application/octet-stream, attachment",
			"application/x-www-form-urlencoded, application/octet-stream, attachment" })
	void haveASafeType(String saved, String sent, String disposition) {
		this.artifacts.put("a", "a=b", "Content-Type", saved).ok();
		HttpResponse<byte[]> answer = this.artifacts.content("a");
		assertThat(answer.body()).isEqualTo("a=b".getBytes());
		assertThat(header(answer, "Content-Type")).isEqualTo(sent);
		assertThat(header(answer, "Content-Disposition")).isEqualTo(disposition);
		assertThat(header(answer, "X-Artifact-Type")).isEqualTo(saved);
		assertThat(header(answer, "X-Artifact-Part")).isEqualTo("bytes");
		assertThat(header(answer, "X-Artifact-Version")).isEqualTo("0");
		assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
		assertThat(header(answer, "Content-Security-Policy")).isEqualTo("default-src 'none'; sandbox");
		assertThat(this.artifacts.get("a").ok().text("/inlineData/mimeType")).isEqualTo(saved);
	}

	@Test
	void haveATagByTheirDigest() {
		this.artifacts.put("a", "x", "Content-Type", "text/csv").ok();
		String tag = header(this.artifacts.content("a"), "ETag");
		HttpResponse<byte[]> unchanged = this.artifacts.content("a", "If-None-Match", tag);
		assertThat(unchanged.statusCode()).isEqualTo(304);
		assertThat(unchanged.body()).isEmpty();
		this.artifacts.put("a", "x", "Content-Type", "text/csv").ok();
		assertThat(this.artifacts.content("a", "If-None-Match", tag).statusCode()).isEqualTo(304);
		this.artifacts.put("a", "y", "Content-Type", "text/csv").ok();
		assertThat(this.artifacts.content("a", "If-None-Match", tag).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource({ "bytes=0-0, 0, 0", "bytes=262143-262144, 262143, 262144", "bytes=599999-, 599999, 599999",
			"bytes=-3, 599997, 599999", "bytes=5-9999999, 5, 599999", "bytes=262144-524287, 262144, 524287" })
	void haveRanges(String range, int first, int last) {
		byte[] bytes = random(600_000);
		this.artifacts.put("a", bytes).ok();
		HttpResponse<byte[]> answer = this.artifacts.content("a", "Range", range);
		assertThat(answer.statusCode()).isEqualTo(206);
		assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(bytes, first, last + 1));
		assertThat(header(answer, "Content-Range")).isEqualTo("bytes %d-%d/600000".formatted(first, last));
	}

	@Test
	void haveNoRangeAfterTheirEnd() {
		this.artifacts.put("a", "x").ok();
		HttpResponse<byte[]> answer = this.artifacts.content("a", "Range", "bytes=1-");
		assertThat(answer.statusCode()).isEqualTo(416);
		assertThat(header(answer, "Content-Range")).isEqualTo("bytes */1");
		assertThat(this.artifacts.content("a", "Range", "bytes=0-0", "If-Range", "\"other\"").statusCode())
			.isEqualTo(200);
	}

	@Test
	void ofATextAreItsUtf8AndOfAReferenceElsewhereNone() {
		this.artifacts.post("a", "{'text': 'é'}").ok();
		HttpResponse<byte[]> text = this.artifacts.content("a");
		assertThat(text.body()).hasSize(2);
		assertThat(header(text, "X-Artifact-Part")).isEqualTo("text");
		assertThat(text.headers().firstValue("X-Artifact-Type")).isEmpty();
		this.artifacts.post("b", "{'fileData': {'fileUri': 'gs://bucket/b'}}").ok();
		assertThat(this.artifacts.content("b").statusCode()).isEqualTo(400);
		assertThat(this.artifacts.get("b").ok().text("/fileData/fileUri")).isEqualTo("gs://bucket/b");
	}

	@Test
	void referencesAreFollowedFiveTimes() {
		String uri = this.artifacts.post("a0", "{'text': 'x'}").ok().text("/canonicalUri");
		for (int number = 1; number <= 6; number++) {
			this.artifacts.post("a" + number, "{'fileData': {'fileUri': '%s'}}".formatted(uri)).ok();
			uri = this.artifacts.path().replace("/apps/", "artifact://apps/") + "/artifacts/a" + number + "/versions/0";
		}
		assertThat(this.artifacts.get("a5").ok().text("/text")).isEqualTo("x");
		assertThat(this.artifacts.content("a5").body()).isEqualTo(new byte[] { 'x' });
		this.artifacts.get("a6").problem(400, "INVALID_ARGUMENT");
		assertThat(this.artifacts.get("a6", "/0/metadata").ok().text("/canonicalUri")).endsWith("/a5/versions/0");
		this.artifacts.delete("a0");
		this.artifacts.get("a1").problem(404, "ARTIFACT_NOT_FOUND");
	}

	@Test
	void aRingOfReferencesIsRefused() {
		String base = this.artifacts.path().replace("/apps/", "artifact://apps/") + "/artifacts/";
		this.artifacts.post("a", "{'fileData': {'fileUri': '%sb/versions/0'}}".formatted(base)).ok();
		this.artifacts.post("b", "{'fileData': {'fileUri': '%sa/versions/0'}}".formatted(base)).ok();
		this.artifacts.get("a").problem(400, "INVALID_ARGUMENT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/apps/APP/users/bob/sessions/s1/artifacts/a/versions/0",
			"/apps/other/users/alice/sessions/s1/artifacts/a/versions/0", "/apps/APP/users/alice/artifacts/a",
			"/apps/APP/users/alice/sessions/s1/artifacts/a/versions/-1", "/x", "" })
	void aReferenceToWhatIsNotTheUsersIsRefused(String path) {
		String uri = "artifact:/" + path.replace("APP", this.api.app());
		this.artifacts
			.post("a", "{'fileData': {'fileUri': '%s'}}".formatted("artifact:/".equals(uri) ? "artifact://" : uri))
			.problem(400, "INVALID_ARGUMENT");
		assertThat(this.artifacts.names()).isEmpty();
	}

	@Test
	void aSaveMayNameTheNewestVersion() {
		this.artifacts.put("a", "x", "If-Match", "*").problem(412, "STALE_ARTIFACT");
		String tag = this.artifacts.put("a", "0", "If-None-Match", "*").ok().etag();
		this.artifacts.put("a", "x", "If-None-Match", "*").problem(412, "STALE_ARTIFACT");
		this.artifacts.post("a", "{'text': 'x'}", "If-None-Match", "*").problem(412, "STALE_ARTIFACT");
		Answer second = this.artifacts.put("a", "1", "If-Match", tag).ok();
		this.artifacts.put("a", "x", "If-Match", tag).problem(412, "STALE_ARTIFACT");
		this.artifacts.put("a", "2", "If-Match", "\"1\"").ok();
		this.artifacts.delete("a", "If-Match", second.etag()).problem(412, "STALE_ARTIFACT");
		this.artifacts.put("a", "x", "If-Match", "W/\"2\"").problem(400, "INVALID_ARGUMENT");
		this.artifacts.put("a", "x", "If-None-Match", "\"2\"").problem(400, "INVALID_ARGUMENT");
		assertThat(this.artifacts.versions("a")).containsExactly(0, 1, 2);
		assertThat(this.artifacts.delete("a", "If-Match", "*").status()).isEqualTo(204);
		this.artifacts.delete("a", "If-Match", "*").problem(412, "STALE_ARTIFACT");
	}

	/** The numbers begin again, but the tags are others. */
	@Test
	void aTagIsOfOneLifeOfAName() {
		String tag = this.artifacts.put("a", "x").ok().etag();
		this.artifacts.delete("a");
		assertThat(this.artifacts.put("a", "x").ok().at("/version").intValue()).isZero();
		this.artifacts.put("a", "y", "If-Match", tag).problem(412, "STALE_ARTIFACT");
	}

	private static byte[] random(int length) {
		byte[] bytes = new byte[length];
		new Random(1).nextBytes(bytes);
		return bytes;
	}

	private static String header(HttpResponse<?> answer, String name) {
		return answer.headers().firstValue(name).orElseThrow();
	}

}
