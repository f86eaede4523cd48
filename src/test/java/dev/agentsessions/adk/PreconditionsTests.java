package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** What an entity tag stands for, and what compares it. */
@HttpTest
class PreconditionsTests {

	private static final String EVENT = "{'author': 'user'}";

	private static final String RENAME = "{'displayName': 'mine'}";

	/** A tag of a session whose details were changed. */
	private static final String DETAILS = "\"\\d+\\.[0-9a-f-]{36}\\.\\d{16}\\.[1-9]\\d{0,8}\"";

	private final Api api;

	PreconditionsTests(Http http) {
		this.api = new Api(http);
	}

	@BeforeEach
	void create() {
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@Test
	void entityTagOfOneVersionIsEqualOnEveryRoute() {
		String created = this.api.get("s1").etag();
		Answer appended = this.api.append("s1", "{'id': 'e1'}", "If-Match", created).ok();
		assertThat(appended.etag()).isNotEqualTo(created).isEqualTo(this.api.get("s1").etag());
		assertThat(this.api.append("s1", "{'id': 'e1'}").ok().etag()).isEqualTo(appended.etag());
		String described = this.api.update("s1", RENAME).ok().etag();
		assertThat(described).startsWith(appended.etag().replaceAll("\"$", "."))
			.matches(DETAILS)
			.isEqualTo(this.api.get("s1").etag());
		Answer batch = this.api.http().post(this.api.eventsPath("s1") + ":batch", Json.of("{'events': [{}, {}]}"));
		assertThat(batch.ok().etag()).isEqualTo(this.api.get("s1").etag()).startsWith("\"3.").matches(DETAILS);
	}

	@Test
	void letsTwoWhoDescribeASessionNotLoseEachOthersChanges() {
		String seen = this.api.get("s1").etag();
		this.api.update("s1", RENAME, "If-Match", seen).ok();

		Answer stale = this.api.update("s1", "{'displayName': 'yours'}", "If-Match", seen)
			.problem(412, "STALE_SESSION");

		assertThat(stale.text("/etag")).isEqualTo(this.api.get("s1").etag());
		assertThat(this.api.get("s1").text("/displayName")).isEqualTo("mine");
		this.api.update("s1", "{'displayName': 'yours'}", "If-Match", stale.text("/etag")).ok();
	}

	@Test
	void changeOfStateAndDetailsComparesWholeEntityTag() {
		String seen = this.api.get("s1").etag();
		this.api.update("s1", RENAME).ok();
		String both = "{'stateDelta': {'k': 1}, 'displayName': 'yours'}";

		this.api.update("s1", both, "If-Match", seen).problem(412, "STALE_SESSION");
		this.api.update("s1", "{'stateDelta': {'k': 1}}", "If-Match", seen).problem(412, "STALE_SESSION");
		assertThat(this.api.get("s1").at("/state").isEmpty()).isTrue();

		Answer updated = this.api.update("s1", both, "If-Match", this.api.get("s1").etag()).ok();
		assertThat(updated.etag()).startsWith("\"1.").matches(DETAILS);
	}

	@Test
	void changeOfDetailsDoesNotRefuseAppend() {
		String seen = this.api.get("s1").etag();
		this.api.update("s1", RENAME).ok();

		String next = this.api.append("s1", EVENT, "If-Match", seen).ok().etag();

		assertThat(next).matches(DETAILS);
		this.api.append("s1", EVENT, "If-Match", seen).problem(412, "STALE_SESSION");
		this.api.append("s1", EVENT, "If-Match", next).ok();
	}

	@Test
	void deletionComparesEntityTag() {
		String seen = this.api.get("s1").etag();
		this.api.update("s1", RENAME).ok();

		Answer stale = delete("If-Match", seen).problem(412, "STALE_SESSION");
		assertThat(stale.text("/etag")).isEqualTo(this.api.get("s1").etag());
		this.api.http().delete(this.api.sessionPath("s1") + "?lastUpdateTime=1").problem(409, "STALE_SESSION");
		this.api.get("s1").ok();

		assertThat(delete("If-Match", stale.text("/etag")).status()).isEqualTo(204);
		assertThat(delete("If-Match", stale.text("/etag")).status()).isEqualTo(204);
		assertThat(delete("If-Match", "*").status()).isEqualTo(204);
	}

	@Test
	void entityTagMatchesNoLaterSessionWithSameId() {
		String former = this.api.get("s1").etag();
		this.api.delete("s1");
		this.api.create("{'sessionId': 's1'}").ok();

		Answer stale = this.api.append("s1", EVENT, "If-Match", former).problem(412, "STALE_SESSION");
		this.api.update("s1", RENAME, "If-Match", former).problem(412, "STALE_SESSION");
		delete("If-Match", former).problem(412, "STALE_SESSION");

		assertThat(stale.text("/missedEvents")).endsWith("afterSeq=0");
		assertThat(this.api.get("s1").revision()).isZero();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "*", "\"0\"", "0", "\"7\", %s", "%s, \"7\"", "\"0\" , \"other\"", "\"7\",,%s,", "W/\"0\", %s" })
	void matchesAsOneOfSeveral(String header) {
		String tags = header.formatted(this.api.get("s1").etag());
		this.api.append("s1", "{'id': 'e1'}", "If-Match", tags).ok();
		assertThat(this.api.get("s1").revision()).isOne();
	}

	/** Each of them costs a look at the session. */
	@Test
	void ifMatchAcceptsAtMostSixteenEntityTags() {
		String sixteen = IntStream.range(1, 17).mapToObj((i) -> "\"" + i + "\"").collect(Collectors.joining(","));
		this.api.append("s1", EVENT, "If-Match", sixteen).problem(412, "STALE_SESSION");
		this.api.append("s1", EVENT, "If-Match", sixteen + ",\"17\"").problem(400, "INVALID_ARGUMENT");
		this.api.append("s1", EVENT, "If-Match", "\"7\",".repeat(5000) + "\"7\"").problem(412, "STALE_SESSION");
	}

	@ParameterizedTest
	@ValueSource(strings = { "W/%s", "\"7\", \"8\"", "\"other\"", "\"0.zzzzzzzzzzzzz\"", "\"0.x.1\"",
			"\"0.019aa5c1-2f40-7c3e-9b1d-4e8a6f0c2d57.999999999999999999\"",
			"\"0.019aa5c1-2f40-7c3e-9b1d-4e8a6f0c2d57\"", "\"0.zzzzzzzzzzz.0\"", "\"0.zzzzzzzzzzzz.0\"",
			"\"99999999999999999999\"" })
	void matchesNothingIfItIsWeakOrAnother(String header) {
		String tags = header.formatted(this.api.get("s1").etag());
		this.api.append("s1", EVENT, "If-Match", tags).problem(412, "STALE_SESSION");
		this.api.update("s1", RENAME, "If-Match", tags).problem(412, "STALE_SESSION");
		delete("If-Match", tags).problem(412, "STALE_SESSION");
		assertThat(this.api.get("s1").revision()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "%s \"7\"", "%s,3", "3, %s", "%s, x", "%s; \"7\"", "*, %s", "%s, *", "\"0", "0\"", "w/%s",
			"%s%s", "\"0 1\", %s", "W/0", "" })
	void isRefusedInAListThatIsNone(String header) {
		String tags = header.replace("%s", this.api.get("s1").etag());
		String detail = this.api.append("s1", EVENT, "If-Match", tags).problem(400, "INVALID_ARGUMENT").detail();
		assertThat(detail).startsWith("If-Match must be a tag in quotes");
		this.api.update("s1", RENAME, "If-Match", tags).problem(400, "INVALID_ARGUMENT");
		delete("If-Match", tags).problem(400, "INVALID_ARGUMENT");
		assertThat(this.api.get("s1").revision()).isZero();
	}

	@Test
	void weakEntityTagIsExplained() {
		String weak = "W/" + this.api.get("s1").etag();
		assertThat(this.api.append("s1", EVENT, "If-Match", weak).detail()).contains("weak", "proxy");
	}

	private Answer delete(String... headers) {
		return this.api.http().send("DELETE", this.api.sessionPath("s1"), BodyPublishers.noBody(), headers);
	}

}
