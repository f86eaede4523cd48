package dev.agentsessions.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times as all languages send them. */
class TimestampsTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			0,                                   1970-01-01T00:00:00Z
			-0.5,                                1969-12-31T23:59:59.5Z
			1750000000,                          2025-06-15T15:06:40Z
			1750000000.123456,                   2025-06-15T15:06:40.123456Z
			1750000000.1234567891,               2025-06-15T15:06:40.123456789Z
			1750000000.9999999999,               2025-06-15T15:06:41Z
			1.75e9,                              2025-06-15T15:06:40Z
			99999999999,                         5138-11-16T09:46:39Z
			100000000000,                        1973-03-03T09:46:40Z
			1e11,                                1973-03-03T09:46:40Z
			1750000000123,                       2025-06-15T15:06:40.123Z
			1750000000123.456,                   2025-06-15T15:06:40.123456Z
			-62135596800,                        0001-01-01T00:00:00Z
			1e-400,                              1970-01-01T00:00:00Z
			2025-06-15T15:06:40Z,                2025-06-15T15:06:40Z
			2025-06-15T17:06:40.5+02:00,         2025-06-15T15:06:40.5Z
			2025-06-15T15:06:40.123456789Z,      2025-06-15T15:06:40.123456789Z
			9999-12-31T23:59:59.999999Z,         9999-12-31T23:59:59.999999Z
			""")
	void readsSecondsMillisecondsAndText(String text, Instant time) {
		assertThat(Timestamps.parse("time", text)).isEqualTo(time);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "now", "NaN", "Infinity", "+1", "1.", ".5", "0x10", "1_000", "1,5", "--1",
			"1e400", "-1e400", "1e2147483647", "1e99999999999", "0e99999999999", "1e18", "2025-06-15",
			"2025-06-15T15:06:40", "2025-06-15 15:06:40Z", "2025-13-01T00:00:00Z", "2025-02-30T00:00:00Z", "true",
			"null" })
	void refusesWhatIsNoTime(String text) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> Timestamps.parse("afterTimestamp", text))
			.withMessageStartingWith("afterTimestamp must be ");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "-62135596801", "0000-12-31T23:59:59Z", "-0001-01-01T00:00:00Z", "+10000-01-01T00:00:00Z" })
	void refusesYearsThatNobodyCanStore(String text) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> Timestamps.parse("time", text))
			.withMessage("time must be within the years 1 to 9999");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0001-01-01T00:00:00Z", "1969-12-31T23:59:59.000000001Z", "2025-06-15T15:06:40.5Z",
			"5138-11-16T09:46:40Z", "9999-12-31T23:59:59.999999999Z" })
	void readsTheSecondsItHasWritten(Instant time) {
		assertThat(Timestamps.ofSeconds(Timestamps.toSeconds(time).toString())).isEqualTo(time);
	}

	@ParameterizedTest
	@CsvSource({ "1750000000, true", "1750000000.5, true", "-1, true", "99999999999, true", "100000000000, false",
			"2025-06-15T15:06:40Z, false", "'', false" })
	void tellsSecondsApart(String text, boolean seconds) {
		assertThat(Timestamps.isSeconds(text)).isEqualTo(seconds);
	}

	@ParameterizedTest
	@CsvSource({ "1970-01-01T00:00:00Z, 0", "2025-06-15T15:06:40Z, 1750000000",
			"2025-06-15T15:06:40.120Z, 1750000000.12", "2025-06-15T15:06:40.123456Z, 1750000000.123456",
			"1969-12-31T23:59:59.5Z, -0.5", "1970-04-26T17:46:40Z, 10000000" })
	void writesSecondsWithoutZerosAtTheEnd(Instant time, String seconds) {
		assertThat(Timestamps.toSeconds(time).toString()).isEqualTo(seconds);
	}

}
