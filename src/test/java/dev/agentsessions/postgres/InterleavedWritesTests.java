package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.AgentSessionsApplication;

/**
 * What if another replica commits between any two statements of a write? Each write is
 * stopped before each of its statements while another one runs at another replica. What
 * both answer and what is left must be the same as if one had followed the other.
 */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterleavedWritesTests {

	private static final String SOMEBODY_WAITS = "select exists (select from pg_stat_activity"
			+ " where datname = current_database() and wait_event_type = 'Lock')";

	@Autowired
	private ApplicationContext here;

	@Autowired
	private JdbcConnectionDetails server;

	private ConfigurableApplicationContext replica;

	@BeforeAll
	void start() {
		this.replica = new SpringApplicationBuilder(AgentSessionsApplication.class).web(WebApplicationType.NONE)
			.properties("spring.datasource.url=" + this.server.getJdbcUrl(),
					"spring.datasource.username=" + this.server.getUsername(),
					"spring.datasource.password=" + this.server.getPassword())
			.run();
	}

	@AfterAll
	void stop() {
		this.replica.close();
	}

	static Stream<Arguments> pairs() {
		return Stream.of(Situation.values())
			.flatMap((situation) -> Stream.of(SessionWrite.values())
				.flatMap((first) -> Stream.of(SessionWrite.values())
					.map((second) -> Arguments.of(situation, first, second))));
	}

	@Test
	void aConditionalDeletionOfNothingTakesNothingThatIsCreatedMeanwhile() {
		interleavedWritesHaveSerialOutcome(Situation.NO_SESSION, SessionWrite.DELETE_IF, SessionWrite.CREATE);
	}

	@ParameterizedTest
	@MethodSource("pairs")
	@Tag("slow")
	void interleavedWritesHaveSerialOutcome(Situation situation, SessionWrite first, SessionWrite second) {
		Set<String> allowed = inTurn(situation, first, second);
		for (int statement = 1; statement > 0; statement++) {
			Meeting meeting = new Meeting(here(situation, first, second), statement);
			String seen = meeting.hold(first, second);
			if (!meeting.took) {
				return;
			}
			assertThat(allowed).as("%s, before statement %d", situation, statement).contains(seen);
		}
	}

	private Set<String> inTurn(Situation situation, SessionWrite first, SessionWrite second) {
		Set<String> allowed = new HashSet<>();
		Target target = here(situation, first, second);
		String answer = first.tryOn(target);
		String answerBehind = second.tryOn(target);
		allowed.add(seen(answer, answerBehind, target));
		if (first == SessionWrite.ERASE_USER) {
			allowed.add(seen(answer, answerBehind, target.withoutSharedState()));
		}
		Target other = here(situation, first, second);
		String answerBefore = second.tryOn(other);
		String behind = first.tryOn(other);
		allowed.add(seen(behind, answerBefore, other));
		if (second == SessionWrite.ERASE_USER) {
			allowed.add(seen(behind, answerBefore, other.withoutSharedState()));
		}
		return allowed;
	}

	private Target here(Situation situation, SessionWrite first, SessionWrite second) {
		Target target = Target.in(situation, this.here);
		return (first.touchesSource() || second.touchesSource()) ? target.withSource() : target;
	}

	private static String seen(String first, String second, Target left) {
		return "%s | %s | %s".formatted(first, second, left.whatIsLeft());
	}

	/** One write that comes before a statement of another. */
	private final class Meeting {

		private final Target target;

		private final Target elsewhere;

		private final int statement;

		private final AtomicInteger count = new AtomicInteger();

		private boolean took;

		private CompletableFuture<String> second;

		Meeting(Target target, int statement) {
			this.target = target;
			this.elsewhere = this.target.at(replica);
			this.statement = statement;
		}

		String hold(SessionWrite firstWrite, SessionWrite secondWrite) {
			String answer = StatementRecorder.callBeforeEach(() -> {
				if (this.count.incrementAndGet() == this.statement) {
					this.took = true;
					begin(secondWrite);
				}
			}, () -> firstWrite.tryOn(this.target));
			return this.took ? seen(answer, this.second.orTimeout(20, TimeUnit.SECONDS).join(), this.target) : "";
		}

		/** Goes on when the other write is over, or waits for this one. */
		private void begin(SessionWrite write) {
			this.second = Concurrently.start(() -> write.tryOn(this.elsewhere));
			JdbcTemplate there = replica.getBean(JdbcTemplate.class);
			while (!this.second.isDone() && !there.queryForObject(SOMEBODY_WAITS, Boolean.class)) {
				Thread.onSpinWait();
			}
		}

	}

}
