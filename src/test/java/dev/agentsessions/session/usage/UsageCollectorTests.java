package dev.agentsessions.session.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.Test;

/** A report ends before it is too large for a response. */
class UsageCollectorTests {

	private static final UUID SESSION = UUID.randomUUID();

	private static final int MODELS_OF_USER = 10;

	@Test
	void endsAfterManyRows() {
		UsageCollector collector = new UsageCollector(Grouping.USER, false);
		for (int row = 0; row < UsageCollector.MAX_ROWS; row++) {
			assertThat(collector.isFull()).isFalse();
			collector.add(event("user" + row, "m"));
		}
		assertThat(collector.isFull()).isTrue();
	}

	@Test
	void endsAfterManyModels() {
		UsageCollector collector = new UsageCollector(Grouping.USER, false);
		for (int model = 0; model < UsageCollector.MAX_MODELS; model++) {
			assertThat(collector.isFull()).isFalse();
			collector.add(event("user", "m" + model));
			collector.add(event("user", "m0"));
		}
		assertThat(collector.isFull()).isTrue();
	}

	@Test
	void endsAfterManyModelsOfRows() {
		UsageCollector collector = new UsageCollector(Grouping.USER, false);
		for (int number = 0; number < UsageCollector.MAX_MODELS_OF_ROWS; number++) {
			assertThat(collector.isFull()).isFalse();
			collector.add(event("user" + number / MODELS_OF_USER, "m" + number % MODELS_OF_USER));
		}
		assertThat(collector.isFull()).isTrue();
	}

	private static SpentEvent event(String user, String model) {
		return new SpentEvent(user, SESSION, 1, false, "i", Instant.EPOCH, model, new UsageMetadata(Tokens.NONE, true),
				false, "a", "", null);
	}

}
