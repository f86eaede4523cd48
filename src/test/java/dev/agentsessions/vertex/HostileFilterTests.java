package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.Stream;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.vertex.VertexEventController.TimeFilter;

/**
 * Hostile filters are refused. A regular expression that backtracks many times over would
 * not end before the time-out.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class HostileFilterTests {

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
	void hostileFiltersAreRefused(String filter) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class).isThrownBy(() -> TimeFilter.of(filter));
		assertThatExceptionOfType(SessionException.InvalidArgument.class).isThrownBy(() -> SessionFilter.of(filter));
	}

	@ParameterizedTest
	@MethodSource("shortOnes")
	void timeFiltersUpToTheLongestAreParsedAndRefused(String filter) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class).isThrownBy(() -> TimeFilter.of(filter));
	}

	static Stream<String> shortOnes() {
		return filters().map((filter) -> filter.substring(0, 999)).filter((filter) -> !filter.isBlank());
	}

}
