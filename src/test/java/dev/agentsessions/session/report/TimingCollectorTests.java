package dev.agentsessions.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.report.Usage.Tokens;
import dev.agentsessions.session.report.UsageReport.Timing;
import dev.agentsessions.session.report.UsageService.Store.SpentEvent;
import dev.agentsessions.support.Json;

/** How long models and tools took. */
class TimingCollectorTests {

	private static final UsageMetadata SPENT = new UsageMetadata(Tokens.NONE, true);

	private final TimingCollector collector = new TimingCollector();

	private UUID session = new UUID(0, 1);

	@Test
	void measuresToolsFromTheirCalls() {
		event(0, "a", "", calls("c1", "c2", "c3"));
		event(4, "a", "", response("c2", "{'error': 'late'}"));
		event(9, "a", "", response("c1", "{}"));
		event(20, "user", "", response("c3", "{}"));
		assertThat(this.collector.tools())
			.containsExactly(new Timing("book", 3, 1, Duration.ofSeconds(4), Duration.ofSeconds(9)));
	}

	@Test
	void knowsNoTimeOfACallOfAnotherSession() {
		event(0, "a", "", calls("c1"));
		this.session = new UUID(0, 2);
		event(1, "a", "", response("c1", "{}"));
		assertThat(this.collector.tools()).containsExactly(new Timing("book", 1, 0, null, null));
	}

	@Test
	void measuresModelsOnBranchesBesideEachOther() {
		event(100, "user", "", null);
		model(104, "all.a");
		model(107, "all.b");
		model(108, "all");
		assertThat(this.collector.models())
			.containsExactly(new Timing("m", 3, 0, Duration.ofSeconds(4), Duration.ofSeconds(7)));
	}

	@Test
	void takesTheLeastDurationThatEnoughCallsDoNotExceed() {
		event(0, "user", "", null);
		for (int number = 1; number <= 100; number++) {
			model(number * (number + 1) / 2, "");
		}
		assertThat(this.collector.models())
			.containsExactly(new Timing("m", 100, 0, Duration.ofSeconds(50), Duration.ofSeconds(95)));
	}

	@Test
	void countsCallsOfManyToolsTogether() {
		for (int tool = 0; tool < 300; tool++) {
			event(tool, "a", "",
					Json.of("{'content': {'parts': [{'functionCall': {'name': 't%d'}}]}}".formatted(tool)));
		}
		event(300, "a", "",
				Json.of("{'content': {'parts': [{'functionCall': {'name': '%s'}}]}}".formatted("x".repeat(600))));
		List<Timing> tools = this.collector.tools();
		assertThat(tools).hasSize(201);
		assertThat(tools.get(0)).isEqualTo(new Timing("all others", 101, 0, null, null));
	}

	/** What a request keeps is bounded, so it does not know how long these took. */
	@Test
	void forgetsCallsThatWaitBesideAThousandOthers() {
		String longId = "x".repeat(600);
		event(0, "a", "", calls("c1", longId));
		event(1, "a", "", calls(IntStream.range(0, 1000).mapToObj((number) -> "o" + number).toArray(String[]::new)));
		event(2, "a", "", response("c1", "{}"));
		event(2, "a", "", response(longId, "{}"));
		event(3, "a", "", response("o999", "{}"));
		Duration two = Duration.ofSeconds(2);
		assertThat(this.collector.tools()).containsExactly(new Timing("book", 1002, 0, two, two));
	}

	private static String calls(String... ids) {
		return Json.of("{'content': {'parts': [%s]}}".formatted(String.join(",",
				List.of(ids)
					.stream()
					.map((id) -> "{'functionCall': {'id': '%s', 'name': 'book'}}".formatted(id))
					.toList())));
	}

	private static String response(String id, String response) {
		return Json.of("{'content': {'parts': [{'functionResponse': {'id': '%s', 'name': 'book', 'response': %s}}]}}"
			.formatted(id, response));
	}

	private void model(int second, String branch) {
		add(second, "a", branch, SPENT, null);
	}

	private void event(int second, String author, String branch, String content) {
		add(second, author, branch, null, content);
	}

	private void add(int second, String author, String branch, UsageMetadata usage, String content) {
		this.collector.add(new SpentEvent("u", "s", this.session, 1, false, "i", Instant.ofEpochSecond(second), "m",
				usage, content != null && content.contains("error"), author, branch,
				(content != null) ? new JsonText(content) : null));
	}

}
