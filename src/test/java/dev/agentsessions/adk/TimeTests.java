package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Times over HTTP: those of events are data, that of the session is the server's. */
@HttpTest
class TimeTests {

	private final Api api;

	private final BigDecimal created;

	TimeTests(Http http) {
		this.api = new Api(http);
		this.created = lastUpdateTime(this.api.create("{'sessionId': 's1'}").ok());
	}

	@Test
	void createTimeComesFromServerClock() {
		BigDecimal now = new BigDecimal(Instant.now().getEpochSecond());

		assertThat(this.created).isBetween(now.subtract(BigDecimal.valueOf(60)), now.add(BigDecimal.ONE));
		assertThat(this.created.scale()).isLessThanOrEqualTo(6);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-62135596800", "1", "99999999999", "253402300799000", "'9999-12-31T23:59:59Z'",
			"'0001-01-01T00:00:00Z'" })
	void isNotMovedByTheTimestampOfAnEvent(String timestamp) {
		Answer odd = this.api.append("s1", "{'id': 'odd', 'author': 'user', 'timestamp': %s}".formatted(timestamp))
			.ok();
		Answer next = this.api.append("s1", "{'id': 'next', 'author': 'user'}").ok();

		BigDecimal soon = this.created.add(BigDecimal.valueOf(60));
		assertThat(lastUpdateTime(odd)).isGreaterThan(this.created).isLessThan(soon);
		assertThat(lastUpdateTime(next)).isGreaterThan(lastUpdateTime(odd)).isLessThan(soon);
		assertThat(this.api.get("s1").at("/events").findValuesAsString("id")).containsExactly("odd", "next");
		this.api.append("s1", "{'author': 'user'}", "If-Match", "\"2\"").ok();
	}

	@Test
	void lastUpdateTimeIncreasesWithEveryAppend() {
		BigDecimal last = this.created;
		for (int i = 0; i < 200; i++) {
			BigDecimal time = lastUpdateTime(this.api.append("s1", "{'author': 'user', 'timestamp': 1}").ok());
			assertThat(time).isGreaterThan(last);
			last = time;
		}

		assertThat(lastUpdateTime(this.api.get("s1"))).isEqualByComparingTo(last);
	}

	@Test
	void lastUpdateTimeIncreasesWithEveryFirstEvent() {
		String events = "{'author': 'user'},".repeat(50) + "{'author': 'user'}";
		Answer session = this.api.create("{'sessionId': 's2', 'events': [%s]}".formatted(events)).ok();

		BigDecimal time = lastUpdateTime(session);
		Answer appended = this.api.appendAfter("s2", time.toPlainString(), "{'author': 'user'}").ok();

		assertThat(lastUpdateTime(appended)).isGreaterThan(time);
		assertThat(appended.revision()).isEqualTo(52);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "1700000000 | 1700000000",
			"1700000000.5 | 1700000000.5", "1700000000.123456789 | 1700000000.123456789", "1.7e9 | 1.7e9", "0 | 0",
			"-1.5 | -1.5", "99999999999 | 99999999999", "100000000000 | 100000000", "1700000000123 | 1700000000.123",
			"1700000000123.25 | 1700000000.12325", "'2023-11-14T22:13:20Z' | 1700000000",
			"'2023-11-14T22:13:20.123456789Z' | 1700000000.123456789", "'2023-11-15T00:13:20+02:00' | 1700000000",
			"'2023-11-14t22:13:20z' | 1700000000", "'1700000000.5' | 1700000000.5", "'1700000000500' | 1700000000.5" })
	void readsTimestampsOfEveryClient(String sent, String answered) {
		Answer appended = this.api.append("s1", "{'id': 'e1', 'author': 'user', 'timestamp': %s}".formatted(sent)).ok();

		assertThat(appended.body()).contains("\"timestamp\":" + answered + ",");
		assertThat(this.api.event("s1", "e1").body()).contains("\"timestamp\":" + answered + ",");
		assertThat(found(answered)).isOne();
		assertThat(found(new BigDecimal(answered).add(new BigDecimal("0.000001")).toPlainString())).isZero();
	}

	@Test
	void stampsAnEventThatHasNoTime() {
		BigDecimal time = this.api.append("s1", "{'author': 'user', 'timestamp': null}")
			.ok()
			.at("/event/timestamp")
			.decimalValue();

		assertThat(time).isBetween(this.created.subtract(BigDecimal.ONE), this.created.add(BigDecimal.valueOf(60)));
	}

	private int found(String since) {
		return this.api.events("s1", "afterTimestamp=" + since).ok().at("/events").size();
	}

	private static BigDecimal lastUpdateTime(Answer answer) {
		return answer.at("/lastUpdateTime").decimalValue();
	}

}
