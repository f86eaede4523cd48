package dev.agentsessions.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.report.Usage.PriceProperties;
import dev.agentsessions.session.report.Usage.Tokens;
import dev.agentsessions.session.report.UsageQuery.Grouping;
import dev.agentsessions.session.report.UsageService.Store.SpentEvent;
import dev.agentsessions.session.report.UsageService.UsageCollector;

/** A report ends before it is too large for a response, and names the slowest turns. */
class UsageCollectorTests {

	private static final UUID SESSION = UUID.randomUUID();

	private static final int MODELS_OF_USER = 10;

	private static final long WAIT = 1000;

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

	/** The time until a person answers does not make a turn slow. */
	@Test
	void namesTheSlowestTurns() {
		UsageCollector collector = new UsageCollector(Grouping.DAY, false);
		int turns = UsageCollector.MAX_SLOWEST + 2;
		for (int turn = 1; turn <= turns; turn++) {
			collector.add(event("u", "m", "turn-" + turn, 0, "a"));
			collector.add(event("u", "m", "turn-" + turn, WAIT, "user"));
			collector.add(event("u", "m", "turn-" + turn, WAIT + turn, "a"));
			collector.add(event("u", "m", "one-event-" + turn, turn, "a"));
			collector.add(event("u", "m", "fast-" + turn, 0, "a"));
			collector.add(event("u", "m", "fast-" + turn, WAIT, "user"));
		}
		UsageReport report = collector.toReport(new UsageService.Store.End(null, 1), new PriceProperties(List.of()));
		assertThat(report.slowest()).extracting((turn) -> turn.worked().toSeconds())
			.containsExactlyElementsOf(LongStream.rangeClosed(0, UsageCollector.MAX_SLOWEST - 1)
				.mapToObj((faster) -> turns - faster)
				.toList());
	}

	private static SpentEvent event(String user, String model) {
		return event(user, model, "i", 0, "a");
	}

	private static SpentEvent event(String user, String model, String turn, long second, String author) {
		return new SpentEvent(user, "s", SESSION, 1, false, turn, Instant.ofEpochSecond(second), model,
				new UsageMetadata(Tokens.NONE, true), false, author, "", null);
	}

}
