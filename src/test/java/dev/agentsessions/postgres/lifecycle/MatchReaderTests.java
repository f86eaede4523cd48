package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.QueryPlans;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.event.EventMarks.EventKind;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** A list that examines events does a bounded amount of work for each page. */
class MatchReaderTests extends PostgresStoreTest {

	private static final EventCondition AUTHOR = new EventCondition(null, null, false, null, "rare");

	private static final EventCondition ERROR = new EventCondition(null, null, true, null, null);

	private static final EventCondition TOOL = new EventCondition(null, null, false, "f", null);

	@Autowired
	private JdbcConnectionDetails database;

	private final SessionName name = Sessions.newKey();

	@Test
	void continuesWithinALongSession() {
		fill("long", 70_000);
		fill("before", 10);
		this.jdbc.update("update events set author = 'rare' where session_key = ? and seq = 7", keyOf("long"));
		SessionQuery query = query(Order.USER);
		List<FoundSessions> pages = pages(query, AUTHOR);
		assertThat(pages).hasSize(2);
		assertThat(pages.stream().flatMap((page) -> page.items().stream())).singleElement()
			.satisfies(
					(found) -> assertThat(found.session().name().sessionId() + " " + found.seq()).isEqualTo("long 7"));
		assertThat(new QueryPlans(this.jdbc, this.database).rowsRead(() -> this.store.find(query, AUTHOR)))
			.isLessThan(2L * MatchReader.MAX_UNITS);
	}

	@Test
	void looksThroughManySessionsForAnErrorInOnePage() {
		this.jdbc.update(
				"""
						insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,
						  last_update_time)
						select gen_random_uuid(), gen_random_uuid(), ?, ?, ?, ?, 's' || n, 1, now(), now() + n * interval '1 second'
						from generate_series(2, 15000) as n
						""",
				ScopeKey.of(this.name.app()), ScopeKey.of(this.name.user()), this.name.appName(), this.name.userId());
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, kind, size, body)
				select session_key, 1, 'e', now(), now(), 'agent', 'i', 0, 2, '{}' from sessions where app_name = ?
				""", this.name.appName());
		this.store.create(Sessions.with(this.name, "{}", "{\"errorCode\":\"E\"}"));
		for (Order order : List.of(Order.USER, Order.UPDATE_TIME)) {
			FoundSessions page = this.store.find(query(order), ERROR);
			assertThat(page.items()).singleElement().satisfies((found) -> assertThat(found.seq()).isEqualTo(1));
			assertThat(page.next()).isNull();
		}
	}

	/** Texts of tools that mention the name are read, and are no call of it. */
	@Test
	void looksThroughManyMentionsOfAToolInOnePage() {
		fillWithMentions(1000);
		FoundSessions page = this.store.find(query(Order.USER), TOOL);
		assertThat(page.items()).singleElement().satisfies((found) -> assertThat(found.seq()).isEqualTo(7));
		assertThat(page.next()).isNull();
	}

	/** A page ends within the mentions, and the next one goes on there. */
	@Test
	void continuesWithinManyMentionsOfATool() {
		fillWithMentions(2500);
		List<FoundSessions> pages = pages(query(Order.USER), TOOL);
		assertThat(pages).hasSizeBetween(2, 5);
		assertThat(pages.stream().flatMap((page) -> page.items().stream())).singleElement()
			.satisfies((found) -> assertThat(found.seq()).isEqualTo(7));
	}

	@Test
	void findsAToolInEventsOfSeveralMegabytes() {
		String large = "{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"%s\",\"args\":{\"a\":\""
				+ "x".repeat(3_000_000) + "\"}}}]}}";
		this.store.create(Sessions.empty(this.name));
		for (String name : List.of("f", "g", "g", "g")) {
			this.store.append(this.name, Events.append(Events.event(large.formatted(name))));
		}
		assertThat(this.store.find(query(Order.USER), TOOL).items()).singleElement()
			.satisfies((found) -> assertThat(found.seq()).isEqualTo(1));
	}

	private List<FoundSessions> pages(SessionQuery query, EventCondition condition) {
		List<FoundSessions> pages = new ArrayList<>(List.of(this.store.find(query, condition)));
		while (pages.get(pages.size() - 1).next() != null) {
			pages.add(this.store.find(query.after(pages.get(pages.size() - 1).next()), condition));
		}
		return pages;
	}

	private SessionQuery query(Order order) {
		return SessionQuery.of(this.name.app(), order, true, 50, new Filter(null, Map.of(), true), false);
	}

	/** Fills a session with calls of another tool; only event 7 calls the tool. */
	private void fillWithMentions(int events) {
		String call = "{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"%s\",\"args\":{\"a\":\"f\"}}}]}}";
		fill("long", events);
		this.jdbc.update("""
				update events set kind = ?, body = (case when seq = 7 then ? else ? end)::json where session_key = ?
				""", EventKind.CALLS, call.formatted("f"), call.formatted("g"), keyOf("long"));
	}

	private void fill(String id, int events) {
		this.store.create(Sessions.empty(Sessions.sibling(this.name, id)));
		this.jdbc.update("""
				insert into events (session_key, seq, id, commit_time, time, author, invocation_id, kind, size, body)
				select ?, n, 'e' || n, now(), now(), 'agent', 'i', 0, 2, '{}' from generate_series(1, ?) as n
				""", keyOf(id), events);
		this.jdbc.update("update sessions set revision = ? where session_key = ?", events, keyOf(id));
	}

	private UUID keyOf(String id) {
		return this.store.find(Sessions.sibling(this.name, id), EventWindow.NONE).orElseThrow().sessionKey();
	}

}
