package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** The times of events over the Vertex AI API, from the first one to the last. */
@HttpTest
class VertexEventTimesTests {

	private final VertexApi api;

	VertexEventTimesTests(Http http) {
		this.api = new VertexApi(http);
	}

	@BeforeEach
	void createSession() {
		this.api.create("s1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0001-01-01T00:00:00.000000001Z", "1969-12-31T23:59:59.999999999Z",
			"5138-11-16T09:46:39.999999999Z", "5138-11-16T09:46:40Z", "9000-01-01T00:00:00Z",
			"9999-12-31T23:59:59.999999999Z" })
	void areAnsweredAsTheyWereSent(String time) {
		this.api.appendAt("s1", time);

		assertThat(this.api.event("s1").at("/timestamp").stringValue()).isEqualTo(time);
	}

	@Test
	void ofTheFarFutureDoNotKeepAListFromEnding() {
		for (int second = 0; second < 3; second++) {
			this.api.appendAt("s1", "9000-01-01T00:00:0" + second + "Z");
		}

		Answer first = this.api.events("s1", "pageSize", "1");
		Answer second = this.api.events("s1", "pageSize", "1", "pageToken", first.text("/nextPageToken"));
		Answer third = this.api.events("s1", "pageSize", "1", "pageToken", second.text("/nextPageToken"));

		assertThat(List.of(first, second, third)).flatExtracting(VertexEventTimesTests::times)
			.containsExactly("9000-01-01T00:00:00Z", "9000-01-01T00:00:01Z", "9000-01-01T00:00:02Z");
		assertThat(third.json().has("nextPageToken")).isFalse();
	}

	@Test
	void letTheSessionNotBeNewerThanTimeCanBe() {
		this.api.appendAt("s1", "9999-12-31T23:59:59.999999999Z");

		assertThat(this.api.get("s1").text("/updateTime")).isEqualTo("9999-12-31T23:59:59.999999999Z");
	}

	@ParameterizedTest
	@CsvSource({ "000000499, >=", "000000500, >=", "000000501, >=", "000001500, >=", "999999500, >=", "000000499, <=",
			"000000500, <=", "000001499, <=", "000001500, <=", "000000500, =", "000001500, =" })
	void findTheirEventToTheNanosecond(String nanos, String operator) {
		String time = "2026-01-01T00:00:00." + nanos + "Z";
		this.api.appendAt("s1", time);

		assertThat(times(this.api.events("s1", "filter", "timestamp" + operator + "\"" + time + "\"")))
			.containsExactly(time);
	}

	private static List<String> times(Answer events) {
		return VertexApi.texts(events, "sessionEvents", "timestamp");
	}

}
