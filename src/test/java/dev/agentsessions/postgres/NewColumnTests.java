package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.domain.Limit;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.postgres.session.EventRepository;
import dev.agentsessions.postgres.session.SessionRepository;
import dev.agentsessions.postgres.state.Scopes;
import dev.agentsessions.postgres.state.StateRepository;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;

/** During a rolling upgrade, a newer replica adds columns that older ones do not know. */
class NewColumnTests extends PostgresStoreTest {

	/**
	 * After five executions, PostgreSQL keeps a statement and the types of its columns.
	 */
	private static final int EXECUTIONS = 6;

	@Autowired
	private SessionRepository sessions;

	@Autowired
	private EventRepository events;

	@Autowired
	private StateRepository states;

	@Autowired
	private PlatformTransactionManager transactions;

	@Test
	void readsInATransactionDoNotSeeThem() {
		SessionName name = Sessions.newKey();
		UUID sessionKey = this.store.create(Sessions.empty(name)).sessionKey();
		this.store.append(name, Events.append(Events.event("{\"id\":\"e1\",\"author\":\"a\"}")));
		new TransactionTemplate(this.transactions).executeWithoutResult((status) -> {
			status.setRollbackOnly();
			IntStream.range(0, EXECUTIONS).forEach((execution) -> read(name, sessionKey));
			for (String table : List.of("sessions", "events", "state")) {
				// A block, in which the driver does not see that a table changes
				this.jdbc.execute("do $$ begin alter table " + table + " add column later text; end $$");
			}
			read(name, sessionKey);
		});
	}

	private void read(SessionName name, UUID sessionKey) {
		Scopes scopes = Scopes.of(name, sessionKey);
		assertThat(this.sessions.find(sessionKey)).isPresent();
		assertThat(this.sessions.findForUpdate(sessionKey)).isPresent();
		assertThat(this.sessions.findAll(new UUID[] { sessionKey })).hasSize(1);
		assertThat(this.sessions.find(scopes.app(), name.sessionId(), Limit.of(2))).hasSize(1);
		assertThat(this.sessions.nextApp(new UUID(0, 0))).isPresent();
		assertThat(this.events.find(sessionKey, "e1")).isPresent();
		assertThat(this.events.findAll(sessionKey, new String[] { "e1" })).hasSize(1);
		assertThat(this.states.find(sessionKey)).isEmpty();
		assertThat(this.states.find(scopes.stream().toArray(UUID[]::new))).isEmpty();
	}

}
