package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;

/**
 * Rows that a replica of an earlier version has left. The setting gives this class a
 * database of its own: other tests leave rows without a session, too.
 */
@TestPropertySource(properties = "agent-sessions.expiry.purge-interval=13h")
class OwnerlessRowsTests extends PostgresStoreTest {

	@Autowired
	private OwnerlessRows ownerless;

	@Autowired
	private KeySweeper sweeper;

	@Autowired
	private PostgresTransferStore imports;

	@Autowired
	private MeterRegistry metrics;

	private final SessionName name = Sessions.newKey();

	private final UUID user = ScopeKey.of(this.name.user());

	@Test
	void areFoundInEachTableAndSweptAfterAnHour() {
		this.store.create(Sessions.with(this.name, "{\"a\":1}", "{\"id\":\"e1\"}"));
		UUID session = StoredKey.of(this.jdbc, this.name);
		this.jdbc.update("insert into said_sessions values (?, ?, 1, 1, 1, 0, 0)", this.user, session);
		this.jdbc.update("insert into artifacts values (?, ?, 'a', 1), (?, ?, 'user:a', 1)", this.user, session,
				this.user, this.user);
		this.ownerless.run();
		assertThat(found()).isZero();

		this.jdbc.update("delete from sessions where session_key = ?", session);
		this.ownerless.run();
		assertThat(found()).isEqualTo(1);
		this.sweeper.run();
		assertThat(rows(session)).isEqualTo(5);

		this.jdbc.update("update keys_to_sweep set since = now()");
		this.sweeper.run();
		assertThat(rows(session)).isZero();
		this.ownerless.run();
		assertThat(found()).isZero();
		this.jdbc.update("delete from artifacts where user_key = ?", this.user);
	}

	@Test
	void theSweepDeletesNoRowOfASession() {
		this.store.create(Sessions.with(this.name, "{\"a\":1}", "{\"id\":\"e1\"}"));
		UUID session = StoredKey.of(this.jdbc, this.name);
		this.jdbc.update("insert into keys_to_sweep values (?, ?, now())", session, this.user);
		this.sweeper.run();
		assertThat(rows(session)).isEqualTo(3);
		this.jdbc.update("delete from keys_to_sweep where session_key = ?", session);
	}

	@Test
	void rowsOfAnUnfinishedImportHaveAnOwner() {
		UUID imported = this.imports.begin(this.name.user());
		this.jdbc.update("insert into initial_state values (?, 'a', '1')", imported);
		this.ownerless.run();
		assertThat(found()).isZero();
		this.sweeper.giveUp(imported);
	}

	private double found() {
		return this.metrics.get("agentsessions.sweep.ownerless").gauge().value();
	}

	private long rows(UUID session) {
		return List
			.of("events where session_key", "state where scope_key", "initial_state where session_key",
					"said_sessions where session_key", "artifacts where scope_key")
			.stream()
			.mapToLong(
					(table) -> this.jdbc.queryForObject("select count(*) from " + table + " = ?", Long.class, session))
			.sum();
	}

}
