package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
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
 * stopped before each of its statements that touches rows while another one runs at
 * another replica. What both answer and what is left must be the same as if one had
 * followed the other.
 */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterleavedWritesTests {

	private static final String SOMEBODY_WAITS = "select exists (select from pg_stat_activity"
			+ " where datname = current_database() and wait_event_type = 'Lock')";

	private static final long MILLIS_OF_WRITE = 10;

	@Autowired
	private ApplicationContext here;

	@Autowired
	private JdbcConnectionDetails server;

	private ConfigurableApplicationContext replica;

	private final Map<List<Object>, InTurn> inTurn = new HashMap<>();

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
		InTurn firstThenSecond = inTurn(situation, first, second);
		InTurn secondThenFirst = inTurn(situation, second, first);
		List<String> allowed = Stream.concat(
				firstThenSecond.left.stream().map((left) -> seen(firstThenSecond.before, firstThenSecond.after, left)),
				secondThenFirst.left.stream().map((left) -> seen(secondThenFirst.after, secondThenFirst.before, left)))
			.toList();
		assertThat(firstThenSecond.statements).isPositive();
		for (int statement = 1; statement <= firstThenSecond.statements; statement++) {
			Meeting meeting = new Meeting(here(situation, first, second), statement);
			assertThat(allowed).as("%s, before statement %d", situation, statement)
				.contains(meeting.hold(first, second));
		}
	}

	/**
	 * Two tests use each result: one interrupts the write before, the other one the write
	 * after.
	 */
	private InTurn inTurn(Situation situation, SessionWrite before, SessionWrite after) {
		return this.inTurn.computeIfAbsent(List.of(situation, before, after), (pair) -> {
			Target target = here(situation, before, after);
			AtomicInteger statements = new AtomicInteger();
			String answer = StatementRecorder.callBeforeEachThatTouchesRows(statements::incrementAndGet,
					() -> before.tryOn(target));
			String answerAfter = after.tryOn(target);
			List<String> left = new ArrayList<>(List.of(target.whatIsLeft()));
			if (before == SessionWrite.ERASE_USER) {
				left.add(target.withoutSharedState().whatIsLeft());
			}
			return new InTurn(answer, answerAfter, left, statements.get());
		});
	}

	private Target here(Situation situation, SessionWrite first, SessionWrite second) {
		Target target = Target.in(situation, this.here);
		return (first.touchesSource() || second.touchesSource()) ? target.withSource() : target;
	}

	private static String seen(String first, String second, String left) {
		return "%s | %s | %s".formatted(first, second, left);
	}

	/**
	 * Two writes, one after the other.
	 *
	 * @param before what the one answers
	 * @param after what the other answers
	 * @param left what may be left
	 * @param statements the number of statements of the one
	 */
	private record InTurn(String before, String after, List<String> left, int statements) {
	}

	/** One write that comes before a statement of another. */
	private final class Meeting {

		private final Target target;

		private final Target elsewhere;

		private final int statement;

		private final AtomicInteger count = new AtomicInteger();

		private CompletableFuture<String> second;

		Meeting(Target target, int statement) {
			this.target = target;
			this.elsewhere = this.target.at(replica);
			this.statement = statement;
		}

		String hold(SessionWrite firstWrite, SessionWrite secondWrite) {
			String answer = StatementRecorder.callBeforeEachThatTouchesRows(() -> {
				if (this.count.incrementAndGet() == this.statement) {
					begin(secondWrite);
				}
			}, () -> firstWrite.tryOn(this.target));
			assertThat(this.second).as("statement %d of %s", this.statement, firstWrite).isNotNull();
			return seen(answer, this.second.orTimeout(20, TimeUnit.SECONDS).join(), this.target.whatIsLeft());
		}

		/** Goes on when the other write is over, or waits for this one. */
		private void begin(SessionWrite write) {
			this.second = Concurrently.start(() -> write.tryOn(this.elsewhere));
			JdbcTemplate there = replica.getBean(JdbcTemplate.class);
			Awaitility.await()
				.pollInSameThread()
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(1))
				.until(() -> isSecondOver() || there.queryForObject(SOMEBODY_WAITS, Boolean.class));
		}

		/** Most writes take no longer, so nothing has to look for locks. */
		private boolean isSecondOver() {
			try {
				this.second.get(MILLIS_OF_WRITE, TimeUnit.MILLISECONDS);
				return true;
			}
			catch (TimeoutException ex) {
				return false;
			}
			catch (InterruptedException | ExecutionException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
