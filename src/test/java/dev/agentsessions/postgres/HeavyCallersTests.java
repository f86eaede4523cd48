package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.postgres.Lanes.Callers;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** What one caller may ask for at once, and what is left for others. */
@HttpTest
@TestPropertySource(properties = "spring.datasource.hikari.maximum-pool-size=8")
class HeavyCallersTests {

	/** One of them runs, and the others wait. */
	private static final int ACCEPTED = 1 + Callers.MAX_WAITING;

	private static final Duration SOON = Duration.ofSeconds(5);

	private static final String GREEDY = "/apps/%s/users/greedy/sessions";

	private static final String OTHER = "/apps/%s/users/other/sessions";

	private final Http http;

	private final DataSource database;

	HeavyCallersTests(Http http, DataSource database) {
		this.http = http;
		this.database = database;
	}

	/** Its lists wait for a table that the requests of others do not need. */
	@ParameterizedTest
	@ValueSource(strings = { "shared", "elsewhere" })
	void heavyRequestsOfOneUserLeaveRoomForOthers(String appOfOther) throws Exception {
		String other = OTHER.formatted(appOfOther);
		this.http.post(GREEDY.formatted("shared"), "{}").ok();
		this.http.post(other + "/s", "{}").ok();
		List<CompletableFuture<Answer>> greedy;
		try (Connection connection = this.database.getConnection()) {
			connection.setAutoCommit(false);
			connection.createStatement().execute("lock table pending_calls in access exclusive mode");
			greedy = Stream
				.generate(() -> Concurrently.start(() -> this.http.get(GREEDY.formatted("shared") + "?waiting=true")))
				.limit(ACCEPTED + 2)
				.toList();
			Awaitility.await().until(() -> greedy.stream().anyMatch(CompletableFuture::isDone));
			Instant begin = Instant.now();
			this.http.post(other + "/s/events", "{}").ok();
			this.http.get(other + "/s").ok();
			this.http.get(other + "?label=a=b").ok();
			assertThat(Duration.between(begin, Instant.now())).isLessThan(SOON);
			assertThat(greedy).filteredOn(CompletableFuture::isDone)
				.allSatisfy((refused) -> assertThat(refused.join().problem(503, "UNAVAILABLE").header("Retry-After"))
					.hasValue("1"));
			connection.rollback();
		}
		assertThat(greedy).extracting((answer) -> answer.join().status())
			.filteredOn((status) -> status == 200)
			.hasSizeGreaterThanOrEqualTo(ACCEPTED);
		this.http.delete(other + "/s");
	}

}
