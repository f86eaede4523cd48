package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** What the comparison of two sessions says, without JavaScript. */
@HttpTest
class ComparePagesTests {

	private final Http http;

	private final PageVisitor visitor;

	private final String app = "app-" + UUID.randomUUID();

	ComparePagesTests(Http http) {
		this.http = http;
		this.visitor = new PageVisitor(http.port());
	}

	@Test
	void asksForASessionIfTheSourceOfAForkIsGone() {
		create("trip");
		append("trip", 0, 1, "");
		assertThat(this.http.post(api("trip") + ":fork", Json.of("{'sessionId': 'fork'}")).status()).isEqualTo(201);
		assertThat(page("/compare")).contains("The first event is the same.").doesNotContain("is gone");
		this.http.delete(api("trip"));
		assertThat(page("/compare")).contains("name=\"with\"", "is gone").doesNotContain("The first event");
		assertThat(this.visitor.get("/console" + api("fork") + "/compare?with=trip").status()).isEqualTo(404);
	}

	/** One request compares neither all events nor all bytes. */
	@ParameterizedTest
	@CsvSource({ "1000, 0, 11", "10, 1000000, 5" })
	void saysThatItComparesTheBeginningOfALongHistory(int events, int chars, int batches) {
		create("trip");
		create("fork");
		for (int batch = 0; batch < batches; batch++) {
			append("trip", batch * events, events, "x".repeat(chars));
			append("fork", batch * events, events, "x".repeat(chars));
		}
		assertThat(page("/compare?with=trip")).containsPattern("At least the first \\d+ events are the same");
	}

	@Test
	void findsWhereSessionsPart() {
		create("trip");
		create("fork");
		append("trip", 0, 250, "");
		append("fork", 0, 250, "");
		assertThat(page("/compare?with=trip")).contains(">The first 250 events are the same.");
		append("trip", 250, 1, "a");
		append("fork", 250, 1, "b");
		assertThat(page("/compare?with=trip")).contains(">The first 250 events are the same.");
	}

	private void create(String id) {
		this.http.post(api(id), "{}").ok();
	}

	private void append(String id, int begin, int count, String text) {
		String events = IntStream.range(begin, begin + count)
			.mapToObj((number) -> "{'id': 'e" + number + "', 'author': 'a', 'timestamp': 1, 'errorMessage': '" + text
					+ "'}")
			.collect(Collectors.joining(","));
		this.http.post(api(id) + "/events:batch", Json.of("{'events': [" + events + "]}")).ok();
	}

	private String page(String path) {
		Answer page = this.visitor.get("/console" + api("fork") + path);
		assertThat(page.status()).as("%s: %s", path, page.body()).isEqualTo(200);
		return page.body();
	}

	private String api(String id) {
		return "/apps/" + this.app + "/users/alice/sessions/" + id;
	}

}
