package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.SessionStoreContract;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** The contract on PostgreSQL. */
@PostgresTest
class PostgresSessionStoreTests extends SessionStoreContract {

	@Autowired
	private Stores store;

	@Autowired
	private JdbcTemplate jdbc;

	@Override
	public Stores store() {
		return this.store;
	}

	@Test
	void readsNothingOfAnotherSessionThatHasTakenThePlace() {
		SessionName name = newSession();
		LongHistory.append(this, name);
		EventStream history = this.store.find(name, EventWindow.ALL).orElseThrow().events();
		this.store.delete(name, Precondition.NONE);
		this.store.create(Sessions.empty(name));
		LongHistory.append(this, name);
		assertThatExceptionOfType(SessionException.NotFound.class).isThrownBy(history::toList);
	}

	@Test
	void readsEventsByTheirIdsOfOneSessionOnly() {
		SessionName name = newSession();
		LongHistory.append(this, name);
		List<String> ids = read(name).events().toList().stream().map(Event::id).toList();
		EventStream selected = this.store.events(name, ids).orElseThrow().events();
		this.store.delete(name, Precondition.NONE);
		this.store.create(Sessions.empty(name));
		ids.forEach((id) -> store(name, Events.id(id)));
		assertThatExceptionOfType(SessionException.NotFound.class).isThrownBy(selected::toList);
	}

	@Test
	void aHistoryOfWhichAllHasBeenReadNeedsNoSession() {
		SessionName name = newSession();
		LongHistory.append(this, name);
		Iterator<Event> events = this.store.find(name, EventWindow.ALL).orElseThrow().events().iterator();
		assertThat(List.of(events.next(), events.next(), events.next())).extracting(Event::seq)
			.containsExactly(1L, 2L, 3L);
		this.store.delete(name, Precondition.NONE);
		assertThat(events.hasNext()).isFalse();
	}

	@Test
	void aHistoryEndsBeforeNewestEventsThatAreStampedTooEarly() {
		SessionName name = newSession();
		LongHistory.append(this, name);
		store(name, Events.event("{\"timestamp\":1}"));
		EventStream history = this.store.find(name, new EventWindow(null, Instant.ofEpochSecond(2)))
			.orElseThrow()
			.events();
		assertThat(history.toList()).extracting(Event::seq).containsExactly(1L, 2L, 3L);
	}

	@ParameterizedTest
	@CsvSource({ "false, A, a, \u00e9", "true, \u00e9, a, A" })
	void listsSessionsOfTheSameMomentInTheOrderOfTheirIds(boolean newestFirst, String first, String second,
			String third) {
		SessionName name = Sessions.newKey();
		Stream.of("a", "\u00e9", "A").forEach((id) -> this.store.create(Sessions.empty(Sessions.sibling(name, id))));
		this.jdbc.update("update sessions set last_update_time = now() where app_name = ?", name.appName());
		SessionQuery query = SessionQuery.of(name.user(), Order.USER, newestFirst, 2, new Filter(null, Map.of(), true),
				true);
		Page<Session> page = this.store.list(query);
		assertThat(page.items()).extracting((session) -> session.name().sessionId()).containsExactly(first, second);
		Page<Session> next = this.store.list(query.after(query.position(page.last())));
		assertThat(next.items()).extracting((session) -> session.name().sessionId()).containsExactly(third);
	}

}
