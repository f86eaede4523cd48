package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.unit.DataSize;

/** Settings of the groups of appends. */
class AppendPropertiesTests {

	private static final DataSize LARGE = DataSize.ofKilobytes(64);

	@ParameterizedTest
	@CsvSource({ "1, 1", "1000, 64" })
	void takesGroupsAndWritersWithinTheirLimits(int groupSize, int writers) {
		assertThatNoException().isThrownBy(() -> new AppendProperties(groupSize, writers, null, LARGE));
	}

	@ParameterizedTest
	@CsvSource({ "0, 2, group-size must be 1 to 1000", "1001, 2, group-size must be 1 to 1000",
			"64, 0, writers must be 1 to 64", "64, 65, writers must be 1 to 64" })
	void refusesOthers(int groupSize, int writers, String rule) {
		assertThatIllegalArgumentException().isThrownBy(() -> new AppendProperties(groupSize, writers, null, LARGE))
			.withMessage("agent-sessions.append." + rule);
	}

}
