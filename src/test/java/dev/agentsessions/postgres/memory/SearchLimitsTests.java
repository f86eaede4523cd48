package dev.agentsessions.postgres.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.ForeignTransaction;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/**
 * How much a search does. Other statements have a much longer time-out here than the one
 * that ranks, and one connection at a time may do heavy work.
 */
@HttpTest
@TestPropertySource(
		properties = { "spring.jdbc.template.query-timeout=50s", "spring.datasource.hikari.maximum-pool-size=6",
				"spring.datasource.hikari.data-source-properties.socketTimeout=100" })
class SearchLimitsTests {

	private static final int MORE_THAN_A_SEARCH_INDEXES = 2300;

	private static final String MORE_THAN_LIGHT = "1010";

	private final Api api;

	private final JdbcConnectionDetails server;

	private final Lanes lanes;

	SearchLimitsTests(Http http, JdbcConnectionDetails server, Lanes lanes) {
		this.api = new Api(http);
		this.server = server;
		this.lanes = lanes;
	}

	@Test
	void saysHowManyEventsAreMissingUntilASearchHasIndexedThem() {
		say("s1", MORE_THAN_A_SEARCH_INDEXES);
		Answer answer = search("tulip");
		long missing = answer.at("/missing").longValue();
		assertThat(answer.at("/complete").booleanValue()).isFalse();
		assertThat(missing).isBetween(MORE_THAN_A_SEARCH_INDEXES - 2000L, (long) MORE_THAN_A_SEARCH_INDEXES);
		while (!answer.at("/complete").booleanValue()) {
			answer = search("tulip");
			assertThat(answer.at("/missing").asLong(0)).isLessThan(missing);
			missing = answer.at("/missing").asLong(0);
		}
		assertThat(answer.at("/missing").isMissingNode()).isTrue();
		assertThat(search("number" + (MORE_THAN_A_SEARCH_INDEXES - 1)).at("/hits")).hasSize(1);
	}

	/** Only the time-out of the ranking statement is shorter than the test waits. */
	@Test
	void givesUpAfterTwoSeconds() throws SQLException {
		say("s1", 1);
		assertThat(search("tulip").at("/hits")).hasSize(1);
		try (ForeignTransaction other = ForeignTransaction.begin(this.server)) {
			other.execute("lock table said");
			Answer answer = post("tulip").problem(503, "UNAVAILABLE");
			assertThat(answer.header("Retry-After")).hasValue("1");
		}
		assertThat(search("tulip").at("/hits")).hasSize(1);
	}

	/** As a lock of another request does, the lock on the table stops all writers. */
	@Test
	void doesNotWaitForWhatKeepsASessionFromBeingIndexed() throws SQLException {
		say("s1", 1);
		assertThat(search("tulip").at("/hits")).hasSize(1);
		this.api.append("s1", "{'content': {'parts': [{'text': 'tulip again'}]}}").ok();
		String reindex = "/apps/" + this.api.app() + ":reindex";
		try (ForeignTransaction other = ForeignTransaction.begin(this.server)) {
			other.execute("lock table said_sessions in share mode");
			Answer answer = search("tulip");
			assertThat(answer.at("/hits")).hasSize(1);
			assertThat(answer.at("/complete").booleanValue()).isFalse();
			assertThat(answer.at("/missing").intValue()).isOne();
			this.api.http().post(reindex, "").problem(503, "UNAVAILABLE");
		}
		assertThat(this.api.http().post(reindex, "").ok().at("/events").intValue()).isOne();
		assertThat(search("tulip").at("/hits")).hasSize(2);
	}

	/** Fewer turns need no permit, unless they are long. */
	@ParameterizedTest
	@CsvSource({ MORE_THAN_LIGHT + ", 1", "20, 6000" })
	void waitsForAPermitToSearchMuch(int turns, int words) {
		say("s1", turns, " word".repeat(words));
		Api other = this.api.as("bob");
		other.create("s2", "{}").ok();
		while (!search("tulip").at("/complete").booleanValue()) {
			assertThat(search("tulip").at("/hits")).isNotEmpty();
		}
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<Boolean> heavy = Concurrently.start(() -> this.lanes.heavy().run(() -> {
			begun.countDown();
			return await(end);
		}));
		await(begun);
		CompletableFuture<Answer> waiting = Concurrently.start(() -> post("tulip"));
		for (int light = 0; light < 50; light++) {
			other.http().get(other.userPath() + "/events:search?q=tulip").ok();
		}
		assertThat(waiting).isNotDone();
		end.countDown();
		assertThat(waiting.join().ok().at("/hits")).isNotEmpty();
		assertThat(heavy.join()).isTrue();
	}

	private static boolean await(CountDownLatch latch) {
		try {
			latch.await();
			return true;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void say(String session, int count) {
		say(session, count, "");
	}

	private void say(String session, int count, String more) {
		this.api.create(session, "{}").ok();
		for (int from = 0; from < count; from += 500) {
			String events = IntStream.range(from, Math.min(count, from + 500))
				.mapToObj((number) -> "{'author': 'user', 'content': {'parts': [{'text': 'tulip number%d%s'}]}}"
					.formatted(number, more))
				.collect(Collectors.joining(","));
			this.api.http().post(this.api.eventsPath(session) + ":batch", Json.of("{'events': [" + events + "]}")).ok();
		}
	}

	private Answer search(String query) {
		return post(query).ok();
	}

	private Answer post(String query) {
		return this.api.http().post(this.api.userPath() + "/events:search", Json.object("q", query));
	}

}
