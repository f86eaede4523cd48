package dev.agentsessions.adk.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.Base64;
import java.util.Random;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Exports and imports have artifacts. */
@HttpTest
class ArtifactTransferTests {

	private static final int VERSIONS = 8;

	private static final byte[] LARGE = new byte[1_000_000];

	private final Api api;

	private final Artifacts session;

	private final Artifacts user;

	ArtifactTransferTests(Http http) {
		this.api = new Api(http);
		this.session = Artifacts.of(this.api, "transfer-1");
		this.user = Artifacts.ofUser(this.api);
	}

	@BeforeEach
	void fill() {
		new Random(43).nextBytes(LARGE);
		this.session.put("a.png", LARGE, "Content-Type", "image/png", "X-Custom-Metadata", "%7B%22k%22%3A%20%5B1%5D%7D")
			.ok();
		this.api.append("transfer-1", "{'id':'e1','author':'user','timestamp':1.5}").ok();
		this.session.post("a.png", "{'inlineData':{'mimeType':'image/png','displayName':'Two','data':'AAEC'}}").ok();
		this.session.put("gone", new byte[0]).ok();
		this.session.post("text", "{'text':'Grüße'}").ok();
		this.session.post("web", "{'fileData':{'fileUri':'https://example.com/a','mimeType':'text/html'}}").ok();
		this.session
			.post("link",
					"{'fileData':{'fileUri':'%s'}}"
						.formatted(this.session.get("a.png", "/0/metadata").text("/canonicalUri")))
			.ok();
		this.user.put("of user", LARGE, "Content-Type", "image/png").ok();
		this.user.put("empty", new byte[0], "Content-Type", "text/plain").ok();
	}

	@Test
	void artifactsComeBackByteForByte() {
		String export = export("");
		this.api.http().delete(this.api.userPath()).ok();
		assertThat(this.user.names()).isEmpty();

		assertImported(importInto(this.api, export), VERSIONS, 0, 0, 0);

		assertThat(withoutTime(export(""))).isEqualTo(withoutTime(export));
		this.user.assertHasBytes("of user", LARGE);
		assertThat(this.session.names()).containsExactly("a.png", "link", "text", "user:empty", "user:of user", "web");
		assertThat(this.session.versions("a.png")).containsExactly(0, 1);
		assertThat(this.session.get("text").text("/text")).isEqualTo("Grüße");
		assertThat(this.session.put("a.png", "new").ok().at("/version").intValue()).isEqualTo(2);
	}

	@Test
	void aSecondImportChangesNothing() {
		String export = export("");
		assertImported(importInto(this.api, export), 0, VERSIONS, 0, 0);
		assertThat(withoutTime(export(""))).isEqualTo(withoutTime(export));
	}

	@Test
	void anotherUserGetsThemWithTheReferencesBetweenThem() {
		Api other = this.api.as("transfer-other");
		assertImported(importInto(other, export("")), VERSIONS, 0, 0, 0);
		Artifacts copy = new Artifacts(other, other.sessionPath("transfer-1"));
		copy.assertHasBytes("link", LARGE);
		assertThat(copy.names()).isEqualTo(this.session.names());
		assertThat(copy.get("a.png", "/0/metadata").ok().at("/createTime"))
			.isEqualTo(this.session.get("a.png", "/0/metadata").ok().at("/createTime"));
		assertImported(importInto(other, export("")), 0, VERSIONS, 0, 0);
	}

	@Test
	void anAppTakesThem() {
		Api other = new Api(this.api.http());
		String export = this.api.http().get(this.api.appPath() + ":export").body();
		Answer imported = this.api.http()
			.send("POST", other.appPath() + ":import", BodyPublishers.ofString(export), "Content-Type",
					"application/x-ndjson")
			.ok();
		assertImported(imported, VERSIONS, 0, 0, 0);
	}

	@Test
	void withoutBytesTheUserMustHaveThem() {
		String export = export("?content=reference");
		assertThat(export).doesNotContain("artifactChunk");
		Api other = this.api.as("transfer-other");
		Artifacts.ofUser(other).put("the same", LARGE).ok();

		Answer imported = importInto(other, export);

		assertImported(imported, VERSIONS - 2, 0, 0, 2);
		assertThat(imported.text("/problems/0/detail")).contains("Version 1 of the artifact \"a.png\"", "digest");
		assertThat(imported.text("/problems/0/sessionId")).isEqualTo("transfer-1");
		Artifacts copy = new Artifacts(other, other.sessionPath("transfer-1"));
		assertThat(copy.versions("a.png")).containsExactly(0);
		copy.assertHasBytes("link", LARGE);
	}

	@Test
	void anExportMayHaveNone() {
		assertThat(export("?content=none")).doesNotContain("\"kind\":\"artifact");
		this.api.http().get(this.api.userPath() + ":export?content=all").problem(400, "INVALID_ARGUMENT");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			"digest":"  | "digest":"A       | 1 | 0
			"size":3    | "size":2          | 1 | 0
			"size":3    | "size":4          | 1 | 0
			"data":"AAEC" | "data":"AAED"   | 1 | 0
			"data":"AAEC" | "data":"."      | 1 | 0
			"part":"text" | "part":"x"      | 1 | 0
			"afterSeq":1  | "afterSeq":2    | 1 | 0
			"name":"text" | "name":"../a"   | 1 | 0
			/users/       | /users/x        | 1 | 0
			"version":1,"createTime" | "version":0,"createTime" | 0 | 1
			""")
	void refusesAVersionThatBreaksARuleAndTakesTheOthers(String sound, String broken, int refused, int conflicts) {
		String export = export("");
		int place = export.lastIndexOf(sound);
		assertThat(place).isPositive();
		String changed = export.substring(0, place) + broken + export.substring(place + sound.length());
		Api other = this.api.as("transfer-other");

		assertImported(importInto(other, changed), VERSIONS - 1, 0, conflicts, refused);

		assertImported(importInto(other, export), 1, VERSIONS - 1, 0, 0);
	}

	@Test
	void takesOnlyWholeVersionsOfAFileThatWasCut() {
		String export = export("");
		String cut = export.substring(0, export.lastIndexOf("{\"kind\":\"artifactChunk\""));
		Api other = this.api.as("transfer-other");

		Answer imported = importInto(other, cut);

		assertThat(imported.at("/complete").booleanValue()).isFalse();
		assertImported(imported, VERSIONS - 1, 0, 0, 1);
		assertThat(Artifacts.ofUser(other).names()).containsExactly("user:empty");
		assertImported(importInto(other, export), 1, VERSIONS - 1, 0, 0);
	}

	@Test
	void aSessionThatIsNotImportedGetsNoArtifacts() {
		String export = export("?content=inline");
		Api other = this.api.as("transfer-other");
		Artifacts different = Artifacts.of(other, "transfer-1");

		Answer imported = importInto(other, export);

		assertThat(imported.at("/conflicts").intValue()).isOne();
		assertImported(imported, 2, 0, 0, VERSIONS - 2);
		assertThat(different.names()).containsExactly("user:empty", "user:of user");
	}

	@Test
	void anExistingVersionStays() {
		String export = export("");
		this.session.delete("text");
		this.session.put("text", "other", "Content-Type", "text/plain").ok();

		Answer imported = importInto(this.api, export);

		assertImported(imported, 0, VERSIONS - 1, 1, 0);
		assertThat(imported.text("/problems/0/code")).isEqualTo("ALREADY_EXISTS");
		this.session.assertHasBytes("text", "other".getBytes());
	}

	@Test
	void bytesMayComeInLinesOfAnySize() {
		String data = Base64.getEncoder().encodeToString(LARGE);
		String export = export("").replaceAll("(?m)^\\{\"kind\":\"artifactChunk\",\"data\":\"[^\"]{1000,}\"}\\n", "")
			.replaceAll("(\"size\":1000000,.*\\n)", "$1" + "{\"kind\":\"artifactChunk\",\"data\":\"" + data + "\"}\n");
		Api other = this.api.as("transfer-other");
		assertImported(importInto(other, export), VERSIONS, 0, 0, 0);
		Artifacts.ofUser(other).assertHasBytes("of user", LARGE);
	}

	private String export(String query) {
		Answer answer = this.api.http().get(this.api.userPath() + ":export" + query);
		assertThat(answer.status()).isEqualTo(200);
		return answer.body();
	}

	private Answer importInto(Api target, String lines) {
		return this.api.http()
			.send("POST", target.userPath() + ":import", BodyPublishers.ofString(lines), "Content-Type",
					"application/x-ndjson")
			.ok();
	}

	private static void assertImported(Answer answer, int created, int unchanged, int conflicts, int refused) {
		assertThat(answer.at("/artifacts")).as(answer.body())
			.isEqualTo(Json.node("{'created':%d,'unchanged':%d,'conflicts':%d,'refused':%d}".formatted(created,
					unchanged, conflicts, refused)));
	}

	private static String withoutTime(String export) {
		return export.replaceFirst("\"exportTime\":\"[^\"]+\"", "");
	}

}
