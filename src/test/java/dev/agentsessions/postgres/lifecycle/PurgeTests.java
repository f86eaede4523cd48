package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.QueryPlans;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;

/** What is left of expired sessions goes, and nothing else. */
class PurgeTests extends PostgresStoreTest {

	private final SessionName name = Sessions.newKey();

	@Autowired
	private Purge purge;

	@Autowired
	private KeySweeper sweeper;

	@Autowired
	private Transactions transactions;

	@Autowired
	private SessionRemover remover;

	@Autowired
	private MeterRegistry metrics;

	@Autowired
	private DataSource dataSource;

	@Autowired
	private JdbcConnectionDetails database;

	@Test
	void deletesExpiredSessionsWithTheirEventsAndTheirOwnState() {
		SessionName live = Sessions.sibling(this.name, "s2");
		this.store.create(Sessions.with(this.name, "{\"a\":1,\"user:b\":2,\"app:c\":3}", "{\"id\":\"e1\"}"));
		this.store.create(Sessions.with(live, "{\"a\":4}", "{\"id\":\"e1\"}"));
		expire(this.name);

		this.purge.run();

		assertThat(rows(this.name)).containsOnly(0);
		assertThat(rows(live)).containsOnly(1);
		assertThat(this.store.state(this.name.user())).isEqualTo(Sessions.state("{\"b\":2}"));
		assertThat(this.store.state(this.name.app())).isEqualTo(Sessions.state("{\"c\":3}"));
	}

	@Test
	void removesMoreThanOnePiece() {
		for (int i = 0; i < 2 * Purge.MAX_BATCH_SESSIONS + 1; i++) {
			this.store.create(Sessions.until(Sessions.sibling(this.name, "s" + i), Instant.EPOCH));
		}

		this.purge.run();

		assertThat(this.jdbc.queryForObject("select count(*) from sessions where app_name = ?", Long.class,
				this.name.appName()))
			.isZero();
	}

	@Test
	void leavesWhatAnotherReplicaIsAboutToDelete() throws SQLException {
		SessionName other = Sessions.sibling(this.name, "s2");
		this.store.create(Sessions.until(this.name, Instant.EPOCH));
		this.store.create(Sessions.until(other, Instant.EPOCH));
		try (Connection replica = this.dataSource.getConnection()) {
			replica.setAutoCommit(false);
			replica.createStatement()
				.execute("select from sessions where session_key = '" + StoredKey.of(this.jdbc, this.name)
						+ "' for update");
			this.purge.run();
			replica.rollback();
			replica.setAutoCommit(true);
		}

		assertThat(rows(this.name).get(0)).isEqualTo(1);
		assertThat(rows(other)).containsOnly(0);
		this.purge.run();
		assertThat(rows(this.name)).containsOnly(0);
	}

	@Test
	void purgeReadsNoRowsOfOtherSessions() {
		// What other tests have left would take further pieces
		this.purge.run();
		this.store.create(Sessions.until(this.name, Instant.EPOCH));
		fill("insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,"
				+ " last_update_time, expire_time) select gen_random_uuid(), gen_random_uuid(), ?, ?, ?, 'u', 's' || n, 1, now(), now(),"
				+ " now() + n * interval '1 hour' from generate_series(1, 20000) as n", new UUID(1, 1),
				ScopeKey.of(this.name.app()), this.name.appName());
		fill("insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)"
				+ " select session_key, 1, 'e', now(), now(), 'agent', 'i', 2, '{}' from sessions where user_key = ?",
				ScopeKey.of(this.name.app()));
		fill("insert into state (scope_key, key, value) select session_key, 'k', '1' from sessions where user_key = ?",
				ScopeKey.of(this.name.app()));
		this.jdbc.execute("analyze");

		List<List<String>> plans = new QueryPlans(this.jdbc, this.database).of(this.purge);

		assertThat(plans).isNotEmpty()
			.allSatisfy((ofOne) -> assertThat(ofOne).allSatisfy((plan) -> assertThat(plan).doesNotContain("Seq Scan")));
		assertThat(plans.get(0))
			.allSatisfy((plan) -> assertThat(plan).contains("sessions_by_end").doesNotContain("Sort"));
		assertThat(rows(this.name)).containsOnly(0);
	}

	private void fill(String sql, Object... parameters) {
		assertThat(this.jdbc.update(sql, parameters)).isEqualTo(20_000);
	}

	@Test
	void sweepsWhatAnInterruptedRemovalHasLeft() {
		UUID sessionKey = this.store.create(Sessions.with(this.name, "{\"a\":1}", "{\"id\":\"e1\"}")).sessionKey();
		this.jdbc.update("delete from sessions where session_key = ?", sessionKey);
		this.jdbc.update("insert into keys_to_sweep values (?, ?, now())", sessionKey, ScopeKey.of(this.name.user()));

		this.sweeper.run();

		assertThat(rows(this.name)).containsOnly(0);
		assertThat(this.jdbc.queryForObject("select count(*) from keys_to_sweep where session_key = ?", Integer.class,
				sessionKey))
			.isZero();
	}

	@Test
	void sweepReportsTheKeysThatItHasFound() throws SQLException {
		UUID sessionKey = this.store.create(Sessions.with(this.name, "{}")).sessionKey();
		this.jdbc.update("delete from sessions where session_key = ?", sessionKey);
		this.jdbc.update("insert into keys_to_sweep values (?, ?, now())", sessionKey, ScopeKey.of(this.name.user()));
		try (Connection other = this.dataSource.getConnection()) {
			other.setAutoCommit(false);
			other.createStatement()
				.execute("select from keys_to_sweep where session_key = '" + sessionKey + "' for update");
			this.sweeper.run();
			this.sweeper.run();
			assertThat(this.metrics.get("agentsessions.sweep.waiting").gauge().value()).isEqualTo(1);
			other.rollback();
			other.setAutoCommit(true);
		}
		this.sweeper.run();
		this.sweeper.run();
		assertThat(this.metrics.get("agentsessions.sweep.waiting").gauge().value()).isZero();
	}

	private void expire(SessionName session) {
		this.store.updateDetails(session, new SessionDetails(null, null, Instant.EPOCH), Precondition.NONE);
	}

	@Test
	void purgeReportsItsLag() {
		SimpleMeterRegistry figures = new SimpleMeterRegistry();
		Purge own = new Purge(this.transactions, this.remover, JdbcClient.create(this.jdbc), (action, details) -> {
		}, figures);
		this.store.create(Sessions.until(this.name, Instant.now().minus(Duration.ofDays(1))));
		own.run();
		assertThat(figures.get("agentsessions.purge.lag").timeGauge().value(TimeUnit.HOURS)).isGreaterThanOrEqualTo(24);
		own.run();
		assertThat(figures.get("agentsessions.purge.lag").timeGauge().value(TimeUnit.HOURS)).isZero();
	}

	/** How many rows a session has in each table. */
	private List<Integer> rows(SessionName session) {
		return List.of(count("sessions where session_key = ?", session), count("events where session_key = ?", session),
				count("state where scope_key = ?", session));
	}

	private int count(String from, SessionName session) {
		return this.jdbc.queryForObject("select count(*) from " + from, Integer.class,
				StoredKey.of(this.jdbc, session));
	}

}
