package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** What is just small enough, and what is not, over HTTP. */
@HttpTest
class LimitsTests {

	private static final int LIMIT = 16 * 1024 * 1024;

	private final Api api;

	LimitsTests(Http http) {
		this.api = new Api(http);
		this.api.create("{'sessionId': 's1'}").ok();
	}

	@Test
	void acceptsABodyOfExactlyTheLimit() {
		assertThat(this.api.http().post(this.api.eventsPath("s1"), event(LIMIT)).status()).isEqualTo(200);
	}

	@Test
	void refusesALargerBodyByItsLength() {
		Answer answer = this.api.http().post(this.api.eventsPath("s1"), event(LIMIT + 1));

		assertThat(answer.problem(413, "PAYLOAD_TOO_LARGE").detail()).contains("16777216 bytes");
		assertThat(this.api.get("s1").revision()).isEqualTo(0);
	}

	@Test
	void refusesALargerBodyOfUnknownLength() {
		byte[] event = event(LIMIT + 1);

		Answer answer = this.api.http().postChunked(this.api.eventsPath("s1"), () -> new ByteArrayInputStream(event));

		assertThat(answer.problem(413, "PAYLOAD_TOO_LARGE").detail()).contains("16777216 bytes");
		assertThat(this.api.get("s1").revision()).isEqualTo(0);
	}

	@ParameterizedTest
	@MethodSource("longestNames")
	void acceptsThreeNamesOf512Characters(String name) {
		String sessions = "/apps/%1$s/users/%1$s/sessions".formatted(Api.encode(name));
		Answer created = this.api.http().post(sessions, Json.object("sessionId", name)).ok();
		assertThat(List.of(created.text("/appName"), created.text("/userId"), created.text("/id"))).containsOnly(name);
		assertThat(this.api.http().get(sessions).ok().at("/0")).isEqualTo(created.json());
		assertThat(this.api.http().delete(sessions + "/" + Api.encode(name)).status()).isEqualTo(204);
	}

	@ParameterizedTest
	@MethodSource("longestNames")
	void acceptsEventIdsAndKeysOf512Characters(String name) {
		this.api.http().post(this.api.eventsPath("s1"), Json.object("id", name)).ok();
		this.api.http().patch(this.api.appPath() + "/state", Json.object(name, "x")).ok();

		assertThat(this.api.event("s1", name).ok().text("/id")).isEqualTo(name);
		assertThat(this.api.get("s1").at("/state").has("app:" + name)).isTrue();
	}

	/** The last one cannot be compressed to fit into an entry of an index. */
	static Stream<String> longestNames() {
		String anyCharacters = new Random(1).ints(512, 0x20000, 0x2a6d0)
			.mapToObj(Character::toString)
			.collect(Collectors.joining());
		return Stream.of("x".repeat(512), "é".repeat(512), "\uD83D\uDE00".repeat(512), anyCharacters);
	}

	private static byte[] event(int size) {
		String frame = "{\"k\":\"\"}";
		return ("{\"k\":\"" + "x".repeat(size - frame.length()) + "\"}").getBytes(StandardCharsets.UTF_8);
	}

}
