package dev.agentsessions.linearizability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.support.LogsErrors;

/**
 * Whatever many clients do at two replicas at once, each answer is right at some moment
 * between question and answer. A longer run, with kills, or the same again is
 * {@code benchmark/check}.
 */
class HistoryTests {

	private static final int ROUND_MILLIS = 4000;

	/** The library that starts PostgreSQL logs at ERROR that it was killed. */
	@Test
	@LogsErrors
	void everyAnswerIsRightAtSomeMoment(@TempDir Path folder) {
		Settings settings = Settings.ofSystem();
		try (Cluster cluster = Cluster.start(folder, settings)) {
			long end = System.nanoTime() + settings.seconds() * 1_000_000_000L;
			for (int number = 0; number == 0 || System.nanoTime() < end; number++) {
				long seed = settings.seed() + number;
				Mix mix = settings.mix().orElse(Mix.of(seed));
				List<String> faults = new Round("history-" + seed + settings.suffix(), mix, cluster, seed)
					.run(ROUND_MILLIS);
				assertThat(faults).as("-Dhistory.seed=%d -Dhistory.mix=%s", seed, mix).isEmpty();
			}
		}
	}

}
