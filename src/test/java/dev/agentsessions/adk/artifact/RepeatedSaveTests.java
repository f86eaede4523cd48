package dev.agentsessions.adk.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.adk.Api;
import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.artifact.ArtifactTables;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** A client that gets no response to a save sends it again with the same key. */
@HttpTest
class RepeatedSaveTests {

	private static final String KEY = "Idempotency-Key";

	private static final byte[] LARGE = new byte[600_000];

	private final Api api;

	private final Artifacts artifacts;

	private final JdbcTemplate jdbc;

	RepeatedSaveTests(Http http, JdbcTemplate jdbc) {
		this.api = new Api(http);
		this.artifacts = Artifacts.of(this.api, "s");
		this.jdbc = jdbc;
	}

	@Test
	void aRepeatedSaveIsAnsweredWithTheVersionThatTheFirstOneHasStored() {
		Answer first = this.artifacts.put("a", LARGE, KEY, "k").ok();
		this.artifacts.put("a", "other", KEY, "another").ok();
		Answer again = this.artifacts.put("a", LARGE, KEY, "k").ok();
		assertThat(again.json()).isEqualTo(first.json());
		assertThat(again.header("ETag")).isEqualTo(first.header("ETag"));
		assertThat(again.header("Idempotent-Replayed")).hasValue("true");
		assertThat(first.header("Idempotent-Replayed")).isEmpty();
		assertThat(this.artifacts.put("a", "next").ok().at("/version").intValue()).as("no number is missing")
			.isEqualTo(2);
		ArtifactTables.assertWhole(this.jdbc, "after a repeated save");
	}

	@Test
	void partsOfAllKindsMayBeRepeated() {
		for (String part : List.of("{'text': 'ü'}", "{'fileData': {'fileUri': 'gs://a/b'}}",
				"{'inlineData': {'data': 'eA==', 'displayName': 'x'}}")) {
			Answer first = this.artifacts.post("b", part, KEY, part.substring(0, 8)).ok();
			Answer again = this.artifacts.post("b", part, KEY, part.substring(0, 8)).ok();
			assertThat(again.json()).isEqualTo(first.json());
			assertThat(again.header("Idempotent-Replayed")).hasValue("true");
		}
		assertThat(this.artifacts.versions("b")).containsExactly(0, 1, 2);
	}

	@Test
	void otherContentWithTheSameKeyIsRefused() {
		this.artifacts.put("a", "x", KEY, "k").ok();
		assertThat(this.artifacts.put("a", "y", KEY, "k").problem(409, "ALREADY_EXISTS").detail())
			.isEqualTo("Version 0 of the artifact was saved with the same Idempotency-Key, "
					+ "but not with the same content");
		this.artifacts.put("a", "x", KEY, "k", "Content-Type", "text/csv").problem(409, "ALREADY_EXISTS");
		this.artifacts.put("a", "x", KEY, "k", "X-Custom-Metadata", "%7B%7D").problem(409, "ALREADY_EXISTS");
		assertThat(this.artifacts.versions("a")).containsExactly(0);
	}

	/** The first one may have moved the version, so that its own condition fails. */
	@Test
	void conditionsDoNotCountForARepeatedSave() {
		this.artifacts.put("a", "x", KEY, "k", "If-None-Match", "*").ok();
		this.artifacts.put("a", "x", KEY, "k", "If-None-Match", "*").ok();
		this.artifacts.put("a", "x", KEY, "other", "If-None-Match", "*").problem(412, "STALE_ARTIFACT");
	}

	@Test
	void aKeyBelongsToANameAndALife() {
		Artifacts ofUser = Artifacts.ofUser(this.api);
		assertThat(ofUser.put("a", "x", KEY, "k").ok().header("Idempotent-Replayed")).isEmpty();
		assertThat(this.artifacts.put("a", "x", KEY, "k").ok().header("Idempotent-Replayed")).isEmpty();
		assertThat(this.artifacts.put("b", "y", KEY, "k").ok().header("Idempotent-Replayed")).isEmpty();
		this.artifacts.delete("a");
		assertThat(this.artifacts.put("a", "z", KEY, "k").ok().header("Idempotent-Replayed")).isEmpty();
		this.artifacts.put("a", "z", KEY, "").problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void aForkHasNoKeys() {
		this.artifacts.put("a", "x", KEY, "k").ok();
		Answer made = this.api.http().post(this.api.sessionPath("s") + ":fork", "{\"sessionId\":\"f\"}");
		assertThat(made.status()).as(made.body()).isEqualTo(201);
		Artifacts fork = new Artifacts(this.api, this.api.sessionPath("f"));
		assertThat(fork.put("a", "x", KEY, "k").ok().at("/version").intValue()).isEqualTo(1);
	}

	@Test
	void racingRepetitionsStoreOneVersion() throws Exception {
		List<Integer> versions = Concurrently.run(8,
				(number) -> this.artifacts.put("r", "x", KEY, "k").ok().at("/version").intValue());
		assertThat(versions).containsOnly(0);
		assertThat(this.artifacts.versions("r")).containsExactly(0);
	}

	@Test
	void bytesMayHaveANameForPeople() {
		this.artifacts.send("PUT", this.artifacts.path("a") + "?displayName=Gr%C3%BC%C3%9Fe.png", new byte[] { 1 })
			.ok();
		assertThat(this.artifacts.get("a").ok().text("/inlineData/displayName")).isEqualTo("Grüße.png");
		this.artifacts.send("PUT", this.artifacts.path("a") + "?displayName=", new byte[] { 1 })
			.problem(400, "INVALID_ARGUMENT");
	}

}
