package dev.agentsessions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

/** Which body is too large for which path. */
class BodyLimitsTests {

	private static final Pattern PATHS = Pattern.compile("/large/.*");

	private static final long MEMORY = Runtime.getRuntime().maxMemory();

	@Test
	void letsADialectHaveLargerBodiesThanOthers() {
		BodyLimits limits = limits(1000, 2000);

		assertThat(limits.of(post("/large/x"))).isEqualTo(new BodyLimit(2000, "larger"));
		assertThat(limits.of(post("/x/large/x"))).isEqualTo(new BodyLimit(1000, "agent-sessions.max-body-size"));
	}

	@Test
	void letsNoBodyInThatTheMemoryIsNotEnoughFor() {
		BodyLimit limit = limits(1000, Math.min(MEMORY, DataSize.ofGigabytes(1).toBytes())).of(post("/large/x"));

		assertThat(limit.bytes()).isLessThanOrEqualTo(MEMORY / 10);
	}

	@Test
	void takesTheLimitForAllAsItIs() {
		long limit = DataSize.ofGigabytes(1).toBytes();

		assertThat(limits(limit, limit).of(post("/x")).bytes()).isEqualTo(limit);
		assertThat(limits(limit, limit).together()).isGreaterThanOrEqualTo(limit);
	}

	@Test
	void refusesALimitThatNoArrayCanHold() {
		assertThatIllegalArgumentException().isThrownBy(() -> larger(DataSize.ofGigabytes(2).toBytes()))
			.withMessage("larger must be at most 1GB");
	}

	private static BodyLimits limits(long usual, long larger) {
		HttpProperties properties = new HttpProperties(DataSize.ofBytes(usual), Duration.ZERO, Duration.ZERO, 1, 1);
		return new BodyLimits(properties, List.of(larger(larger)));
	}

	private static LargerBodies larger(long limit) {
		return new LargerBodies(PATHS, DataSize.ofBytes(limit), "larger");
	}

	private static MockHttpServletRequest post(String path) {
		return new MockHttpServletRequest("POST", path);
	}

}
