package dev.agentsessions.postgres.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.report.UsageQuery;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.session.report.UsageService.Store.SpentEvent;

/** What the store reads of a session that changes meanwhile, and of a long turn. */
class PostgresUsageStoreTests extends PostgresStoreTest {

	private static final int EVENTS = PostgresUsageStore.MAX_EVENTS_BEFORE + 500;

	@Autowired
	private UsageService.Store usage;

	private SessionName name;

	@BeforeEach
	void create() {
		this.name = Sessions.newKey();
		Object session = this.store.create(Sessions.empty(this.name)).sessionKey();
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, size, body)
				select ?, n, 'e' || n, now(), now(), 'agent', 'i', 2, '{}' from generate_series(1, ?) as n
				""", session, EVENTS);
		this.jdbc.update("update sessions set revision = ? where session_key = ?", EVENTS, session);
	}

	@Test
	void reportsNoPartOfASessionThatIsDeletedMeanwhile() {
		assertThatExceptionOfType(SessionException.Unavailable.class)
			.isThrownBy(() -> this.usage.read(UsageQuery.ofSession(this.name), () -> false, replacingSession()));
	}

	@Test
	void reportsNoPartOfATurnWhoseSessionIsDeletedMeanwhile() {
		assertThatExceptionOfType(SessionException.Unavailable.class)
			.isThrownBy(() -> this.usage.readBefore(this.name, 10, "i", replacingSession()));
	}

	@Test
	void readsTheBeginningOfATurnUnlessItIsVeryLong() {
		List<SpentEvent> events = new ArrayList<>();
		int most = PostgresUsageStore.MAX_EVENTS_BEFORE;
		assertThat(this.usage.readBefore(this.name, most + 2, "i", events::add)).isFalse();
		assertThat(events).isEmpty();
		assertThat(this.usage.readBefore(this.name, most + 1, "i", events::add)).isTrue();
		assertThat(events).hasSize(most);
		this.jdbc.update("update events set invocation_id = 'h' where session_key = ? and seq = 2",
				events.get(0).session());
		assertThat(this.usage.readBefore(this.name, most + 2, "i", events::add)).isTrue();
		assertThat(events).hasSize(2 * most - 1);
	}

	/** Another session gets the name of the one that is read. */
	private Consumer<SpentEvent> replacingSession() {
		List<SpentEvent> read = new ArrayList<>();
		return (event) -> {
			if (read.isEmpty()) {
				this.store.delete(this.name, Precondition.NONE);
				this.store.create(Sessions.empty(this.name));
			}
			read.add(event);
		};
	}

}
