package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * The service never writes out a number that would have very many digits. That would take
 * minutes, or more memory than there is.
 */
@HttpTest
@Timeout(60)
class HostileNumbersTests {

	/** A number of this many digits takes minutes to parse. */
	private static final int DIGITS = 9_000_000;

	private static final String SESSIONS = "/apps/numbers/users/ann/sessions";

	private static final String VERTEX = "/v1beta1/projects/p/locations/l/reasoningEngines/numbers/sessions";

	private final Http http;

	HostileNumbersTests(Http http) {
		this.http = http;
		http.post(SESSIONS, "{\"sessionId\":\"s\",\"events\":[{\"id\":\"e\"}]}");
	}

	static Stream<String> numbers() {
		return Stream.of("1e99999999", "-1e99999999", "1e-99999999", "1e500000000", "1e999999999999999999",
				"1e2147483647", "1e-2147483648", "1" + "0".repeat(30_000), "0." + "0".repeat(30_000) + "1",
				"9".repeat(998) + "e99999999");
	}

	@ParameterizedTest
	@MethodSource("numbers")
	void numbersWithHugeExponentsGetNoServerError(String number) {
		List<String> gets = List.of(SESSIONS + "/s?afterTimestamp=" + number,
				SESSIONS + "/s/events?afterTimestamp=" + number, SESSIONS + "/s?numRecentEvents=" + number,
				SESSIONS + "/s/events?afterSeq=" + number, SESSIONS + "/s/events?limit=" + number,
				SESSIONS + "?limit=" + number, VERTEX + "?pageSize=" + number, VERTEX + "/s/events?pageSize=" + number,
				VERTEX + "/s/events?filter=timestamp%3E%3D" + number);
		gets.forEach((path) -> answers(() -> this.http.get(path)));
		for (String field : List.of("timestamp", "partial")) {
			answers(() -> this.http.post(SESSIONS + "/s/events", "{\"%s\":%s}".formatted(field, number)));
			answers(() -> this.http.post(SESSIONS + "/s/events", "{\"%s\":\"%s\"}".formatted(field, number)));
		}
		for (String times : List.of("\"startTimestamp\":%1$s,\"endTimestamp\":9",
				"\"startTimestamp\":0,\"endTimestamp\":%1$s")) {
			answers(() -> this.http.post(SESSIONS + "/s/events",
					"{\"author\":\"user\",\"actions\":{\"compaction\":{\"compactedContent\":{},%s}}}"
						.formatted(times.formatted(number))));
		}
		answers(() -> this.http.get(SESSIONS + "/s?view=context"));
		answers(() -> this.http.post(SESSIONS + "/s/events?lastUpdateTime=" + number, "{}"));
		for (String field : List.of("ttl", "expireTime", "lastUpdateTime")) {
			answers(() -> this.http.post(SESSIONS, "{\"%s\":\"%s\"}".formatted(field, number)));
			answers(() -> this.http.patch(SESSIONS + "/s", "{\"%s\":%s}".formatted(field, number)));
		}
		answers(() -> this.http.post(VERTEX + "/s:appendEvent", """
				{"author":"a","invocationId":"i","timestamp":"%1$s","actions":{"artifactDelta":{"a":"1.%2$s"}}}"""
			.formatted(number, "0".repeat(600_000))));
	}

	@Test
	void timestampsWithVeryManyDigitsAreRefused() {
		String digits = "1".repeat(DIGITS);
		for (String body : List.of("{\"timestamp\":\"0." + digits + "\"}", "{\"timestamp\":\"" + digits + "\"}",
				"{\"timestamp\":\"1e" + digits + "\"}", "{\"timestamp\":\"2026-01-01T00:00:00." + digits + "Z\"}")) {
			assertThat(answers(() -> this.http.post(SESSIONS + "/s/events", body)).status()).isEqualTo(400);
		}
	}

	@Test
	void replayComparesNumbersByValue() {
		String event = "{\"id\":\"%s\",\"a\":%s}";
		for (List<String> same : List.of(List.of("1e999999999999", "10e999999999998", "0.1E+1000000000000"),
				List.of("1.0", "1.00", "1", "1e0", "0.001e3"), List.of("0", "-0.0", "0e999999999999"))) {
			String id = "same" + same.get(0);
			answers(() -> this.http.post(SESSIONS + "/s/events", event.formatted(id, same.get(0)))).ok();
			for (String value : same) {
				assertThat(answers(() -> this.http.post(SESSIONS + "/s/events", event.formatted(id, value)))
					.header("Idempotent-Replayed")).as(value).hasValue("true");
			}
			answers(() -> this.http.post(SESSIONS + "/s/events", event.formatted(id, "1.5"))).problem(409,
					"EVENT_ID_CONFLICT");
		}
	}

	private static Answer answers(Supplier<Answer> request) {
		Answer answer = request.get();
		assertThat(answer.status()).as(answer.body()).isLessThan(500);
		return answer;
	}

}
