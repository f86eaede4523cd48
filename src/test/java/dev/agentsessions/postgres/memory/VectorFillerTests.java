package dev.agentsessions.postgres.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.Interruption;
import dev.agentsessions.postgres.QueryPlans;
import dev.agentsessions.postgres.memory.VectorWorker.VectorFiller;
import dev.agentsessions.search.Embedder;
import dev.agentsessions.search.SearchService.FoundTurns;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.support.EmbeddingServer;

/** Vectors are made while other requests change the sessions, and by two replicas. */
class VectorFillerTests extends SearchStoreTest {

	private static final EmbeddingServer model = new EmbeddingServer();

	@Autowired
	private VectorFiller filler;

	@Autowired
	private VectorWorker worker;

	@Autowired
	private Embedder embedder;

	@Autowired
	private DataSource dataSource;

	@Autowired
	private JdbcConnectionDetails database;

	@DynamicPropertySource
	static void settings(DynamicPropertyRegistry registry) {
		registry.add("agent-sessions.search.embeddings.url", model::url);
		registry.add("agent-sessions.search.embeddings.model", () -> "topics");
	}

	@BeforeEach
	void stopWorker() {
		this.worker.stop();
	}

	@AfterEach
	void work() {
		model.work();
	}

	/** The session goes before each of the statements in turn. */
	@Test
	void aSessionThatIsRemovedMeanwhileLeavesNothing() {
		int statement = 1;
		while (isFilledWhileTheSessionGoesBefore(statement)) {
			statement++;
		}
		assertThat(statement).isGreaterThan(6);
	}

	/** Returns whether the filler has this number of statements. */
	private boolean isFilledWhileTheSessionGoesBefore(int statement) {
		SessionName name = Sessions.newKey();
		UUID sessionKey = indexedSession(name, 2);
		boolean interrupted = Interruption.before(statement, () -> this.store.delete(name, Precondition.NONE),
				() -> this.filler.fillNext(name.user(), this.embedder));
		if (interrupted) {
			assertThat(vectors(sessionKey)).as("statement %d", statement).isZero();
		}
		return interrupted;
	}

	@Test
	void twoReplicasMayDoTheSame() throws Exception {
		SessionName name = Sessions.newKey();
		UUID sessionKey = indexedSession(name, 150);
		List<Integer> rounds = Concurrently.run(2, (number) -> {
			int round = 1;
			while (this.filler.fillNext(name.user(), this.embedder)) {
				round++;
			}
			return round;
		});
		assertThat(rounds).allSatisfy((round) -> assertThat(round).isLessThan(5));
		assertThat(vectors(sessionKey)).isEqualTo(150);
	}

	/** Turn 1 is another event after the session was indexed anew. */
	@Test
	void aTurnGetsTheVectorOfItsOwnEvent() {
		SessionName name = Sessions.newKey();
		UUID sessionKey = indexedSession(name, 1);
		say(name, "a tulip");
		model.hold();
		int before = model.asked().size();
		CompletableFuture<Boolean> filled = Concurrently.start(() -> this.filler.fillNext(name.user(), this.embedder));
		Awaitility.await().until(() -> model.asked().size() > before);
		this.jdbc.update("update said set seq = 2 where session_key = ?", sessionKey);
		model.work();
		filled.join();
		assertThat(vectors(sessionKey)).isZero();
		assertThat(this.filler.fillNext(name.user(), this.embedder)).isFalse();
		assertThat(model.asked().get(model.asked().size() - 1).inputs()).containsExactly("a tulip");
		assertThat(vectors(sessionKey)).isEqualTo(1);
	}

	@Test
	void theWorkerKeepsNoConnectionWhileTheModelWorks() {
		SessionName name = Sessions.newKey();
		indexedSession(name, 1);
		model.hold();
		int before = model.asked().size();
		this.worker.start();
		this.worker.offer(name.user());
		Awaitility.await().until(() -> model.asked().size() > before);
		HikariDataSource pool = DataSourceUnwrapper.unwrap(this.dataSource, HikariConfigMXBean.class,
				HikariDataSource.class);
		assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
		this.worker.stop();
	}

	@Test
	void theWorkerEndsAlsoWhileItWaits() {
		SessionName name = Sessions.newKey();
		UUID sessionKey = indexedSession(name, 1);
		model.hold();
		int before = model.asked().size();
		this.worker.start();
		assertThat(this.worker.isRunning()).isTrue();
		this.worker.offer(name.user());
		Awaitility.await().until(() -> model.asked().size() > before);
		this.worker.stop();
		assertThat(this.worker.isRunning()).isFalse();
		assertThat(vectors(sessionKey)).isZero();
	}

	/** As with the index of words: an index for all users would be read for each. */
	@Test
	void statementsUseThePrimaryKeysOnly() {
		SessionName name = Sessions.newKey();
		indexedSession(name, 3);
		this.filler.fillNext(name.user(), this.embedder);
		List<List<String>> plans = new QueryPlans(this.jdbc, this.database).of(() -> {
			search(name);
			this.filler.fillNext(name.user(), this.embedder);
		});
		assertThat(plans.stream().flatMap(List::stream).filter((plan) -> plan.contains("said_vectors")))
			.hasSizeGreaterThanOrEqualTo(2)
			.allSatisfy((plan) -> assertThat(plan).contains("said_pkey", "said_vectors_pkey", "forgotten_pkey")
				.doesNotContain("Seq Scan"));
	}

	private UUID indexedSession(SessionName name, int turns) {
		UUID sessionKey = session(name,
				IntStream.rangeClosed(1, turns).mapToObj((number) -> "car number " + number).toArray(String[]::new));
		while (search(name).missing() > 0) {
			assertThat(vectors(sessionKey)).isZero();
		}
		return sessionKey;
	}

	private FoundTurns search(SessionName name) {
		return search(name, "car");
	}

	private int vectors(UUID sessionKey) {
		return rows("said_vectors", sessionKey);
	}

}
