package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.session.SessionException;

/** No filter takes longer to understand than to read. */
class HostileFilterTests {

	private static final Duration SOON = Duration.ofMillis(500);

	static Stream<String> filters() {
		return Stream.of(4, 40)
			.map((kilobytes) -> " ".repeat(kilobytes * 1024))
			.flatMap((spaces) -> Stream.of("timestamp>=\"" + spaces + "\"" + spaces + "x\"",
					spaces + "timestamp" + spaces, "timestamp>=" + spaces + "\"" + spaces,
					"timestamp>=\"x" + spaces + "AND" + spaces + "\"" + spaces + "!", "user_id" + spaces + "x",
					"labels." + spaces.replace(' ', 'a') + spaces, spaces.replace(' ', 'a'),
					spaces.replace(" ", "AND "), spaces.replace(" ", "\" ")));
	}

	@ParameterizedTest
	@MethodSource("filters")
	void areRefusedAtOnce(String filter) {
		assertTimeoutPreemptively(SOON, () -> assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> TimeFilter.of(filter)));
		assertTimeout(SOON, () -> assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> SessionFilter.of(filter)));
	}

	@ParameterizedTest
	@MethodSource("shortOnes")
	void areReadAtOnceUpToTheLongest(String filter) {
		assertTimeoutPreemptively(SOON, () -> assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> TimeFilter.of(filter)));
	}

	static Stream<String> shortOnes() {
		return filters().map((filter) -> filter.substring(0, 999)).filter((filter) -> !filter.isBlank());
	}

}
