package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/**
 * What clients know of a session does not fit any more after a restore, or a failover,
 * that has lost its newest events, even if other events have taken their numbers.
 */
@HttpTest
class RestoredHistoryTests {

	private static final String HISTORY_CHANGED = "{\"reason\":\"HISTORY_CHANGED\"}";

	private static final Map<String, String> COPIES = Map.of("sessions", "session_key", "events", "session_key",
			"state", "scope_key");

	private final Api api;

	private final JdbcTemplate database;

	private final TransactionTemplate transaction;

	RestoredHistoryTests(Http http, JdbcTemplate database, TransactionTemplate transaction) {
		this.api = new Api(http);
		this.database = database;
		this.transaction = transaction;
	}

	@BeforeEach
	void createWithThreeEvents() {
		this.api.create("{'sessionId': 's1', 'state': {'k': 0}}").ok();
		append("e1", "e2", "e3");
	}

	@Test
	void tagOfALostEventIsStaleAlthoughItsRevisionIsTheNewestAgain() {
		backUp();
		String lost = append("a4");
		restore();
		String other = append("b4");

		Answer stale = this.api.append("s1", "{'id': 'a5'}", "If-Match", lost).problem(412, "STALE_SESSION");
		assertThat(stale.text("/etag")).isEqualTo(other).isNotEqualTo(lost);
		assertThat(this.api.http().get(stale.text("/missedEvents")).ok().text("/events/3/id")).isEqualTo("b4");
		post(":batch", "{'events': [{'id': 'a5'}]}", lost).problem(412, "STALE_SESSION");
		this.api.update("s1", "{'stateDelta': {'k': 5}}", "If-Match", lost).problem(412, "STALE_SESSION");
		this.api.update("s1", "{'displayName': 'x'}", "If-Match", lost).problem(412, "STALE_SESSION");
		this.api.acquire("s1", "{'holder': 'a'}", "If-Match", lost).problem(412, "STALE_SESSION");
		String path = this.api.sessionPath("s1");
		for (String change : List.of(":rewind", ":fork")) {
			String body = change.equals(":fork") ? "{'sessionId': 's2'}" : "{'beforeInvocationId': 'i'}";
			this.api.http().post(path + change, Json.of(body), "If-Match", lost).problem(412, "STALE_SESSION");
		}
		this.api.http().send("DELETE", path, BodyPublishers.noBody(), "If-Match", lost).problem(412, "STALE_SESSION");

		assertThat(this.api.http().send("GET", path, BodyPublishers.noBody(), "If-None-Match", lost).ok().etag())
			.isEqualTo(other);
		assertThat(this.api.append("s1", "{'id': 'b5'}", "If-Match", other).ok().revision()).isEqualTo(5);
	}

	@Test
	void tagOfAnEventThatWasNotLostStaysValid() {
		String kept = this.api.get("s1").etag();
		backUp();
		append("a4");
		restore();
		assertThat(this.api.append("s1", "{'id': 'a4'}", "If-Match", kept).ok().revision()).isEqualTo(4);
		assertThat(this.api.append("s1", "{'id': 'a4'}", "If-Match", kept).ok().header("Idempotent-Replayed"))
			.hasValue("true");
	}

	/** It names no event, so nothing tells two events with this number apart. */
	@Test
	void revisionAloneDoesNotSeeTheOtherHistory() {
		backUp();
		append("a4");
		restore();
		append("b4");
		this.api.append("s1", "{'id': 'a5'}", "If-Match", "\"4\"").ok();
	}

	/**
	 * As after the clock of the database was set back: both events come right after the
	 * newest one.
	 */
	@Test
	void tagsDifferAlthoughTheClockIsBehindTheNewestEvent() {
		this.database.update(
				"update sessions set last_update_time = last_update_time + interval '1 hour' where app_name = ?",
				this.api.app());
		backUp();
		for (int attempt = 0; attempt < 3; attempt++) {
			String lost = append("a4");
			restore();
			if (!lost.equals(append("b4"))) {
				this.api.append("s1", "{'id': 'a5'}", "If-Match", lost).problem(412, "STALE_SESSION");
				return;
			}
			restore();
		}
		throw new AssertionError("Two events have got the same tag three times");
	}

	@Test
	void changeOfDetailsIsNotMistakenForALostOne() {
		backUp();
		String lost = this.api.update("s1", "{'displayName': 'of A'}").ok().etag();
		restore();
		this.api.update("s1", "{'displayName': 'of B'}").ok();

		this.api.update("s1", "{'labels': {'a': 'b'}}", "If-Match", lost).problem(412, "STALE_SESSION");
		this.api.append("s1", "{'id': 'a4'}", "If-Match", lost).ok();
	}

	@Test
	void openWatchEndsWhenTheEventThatItHasShownIsLost() {
		backUp();
		try (EventSource watch = watch("?afterSeq=3")) {
			append("a4");
			assertThat(watch.next().seq()).isEqualTo(4);
			restore();
			assertHistoryChanged(watch);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void openWatchEndsWhenAnotherEventHasTheNumberOfTheOneThatItHasShown(int events) {
		backUp();
		String lost = append("a4");
		try (EventSource shown = watch("?afterSeq=3"); EventSource waiting = watch("?afterSeq=4")) {
			assertThat(shown.next().seq()).isEqualTo(4);
			restore();
			for (int number = 0; number < events; number++) {
				assertThat(append("b" + number)).isNotEqualTo(lost);
			}
			assertHistoryChanged(shown);
			assertHistoryChanged(waiting);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void newConnectionOfAWatchEndsWhenItsLastEventIsLost(int events) {
		backUp();
		append("a4");
		String last = lastId();
		try (EventSource watch = watch("", "Last-Event-ID", last)) {
			append("a5");
			assertThat(watch.next().seq()).isEqualTo(5);
		}
		restore();
		for (int number = 0; number < events; number++) {
			append("b" + number);
		}
		try (EventSource watch = watch("", "Last-Event-ID", last)) {
			assertHistoryChanged(watch);
		}
	}

	@Test
	void newConnectionOfAWatchGoesOnWhenItsLastEventIsNotLost() {
		String last = lastId();
		backUp();
		append("a4");
		restore();
		append("b4");
		try (EventSource watch = watch("", "Last-Event-ID", last)) {
			EventSource.Message next = watch.next();
			assertThat(next.seq()).isEqualTo(4);
			assertThat(next.json().at("/id").stringValue()).isEqualTo("b4");
		}
	}

	@ParameterizedTest
	@CsvSource({ "asc, full", "desc, full", "asc, context" })
	void pageTokenOfALostEventIsRefused(String order, String view) {
		append("e4");
		backUp();
		append("a5", "a6");
		String list = this.api.eventsPath("s1") + "?order=" + order + "&view=" + view;
		String limit = "&limit=" + (order.equals("asc") ? 5 : 2);
		String token = this.api.http().get(list + limit).ok().text("/nextPageToken");
		assertThat(this.api.http().get(list + "&pageToken=" + token).ok().at("/events").size()).isPositive();
		restore();
		append("b5", "b6", "b7");
		Answer refused = this.api.http().get(list + "&pageToken=" + token).problem(400, "INVALID_ARGUMENT");
		assertThat(refused.detail()).contains("history");
	}

	@ParameterizedTest
	@ValueSource(strings = { "timestamp", "timestamp desc" })
	void pageTokenOfALostEventIsRefusedInTheVertexDialect(String orderBy) {
		backUp();
		append("a4", "a5");
		String list = "/v1beta1/reasoningEngines/" + this.api.app() + "/sessions/s1/events?orderBy="
				+ orderBy.replace(" ", "%20");
		int size = orderBy.endsWith("desc") ? 1 : 4;
		String token = this.api.http().get(list + "&pageSize=" + size).ok().text("/nextPageToken");
		assertThat(this.api.http().get(list + "&pageToken=" + token).ok().at("/sessionEvents").size()).isPositive();
		restore();
		append("b4", "b5", "b6");
		assertThat(this.api.http().get(list + "&pageToken=" + token).status()).isEqualTo(400);
	}

	@Test
	void pageTokenOfAnEventThatWasNotLostStaysValid() {
		String list = this.api.eventsPath("s1");
		String token = this.api.http().get(list + "?limit=2").ok().text("/nextPageToken");
		backUp();
		append("a4");
		restore();
		append("b4");
		assertThat(this.api.http().get(list + "?pageToken=" + token).ok().at("/events").valueStream())
			.extracting((event) -> event.at("/id").stringValue())
			.containsExactly("e3", "b4");
	}

	/** Copies the rows of the session. */
	private void backUp() {
		String rows = " where session_key in (select session_key from sessions where app_name = '" + this.api.app()
				+ "')";
		COPIES.forEach((table, key) -> {
			this.database.execute("drop table if exists copy_of_" + table);
			this.database.execute("create table copy_of_" + table + " as select * from " + table
					+ rows.replaceFirst("session_key", key));
		});
	}

	/**
	 * Leaves the rows as a restore to the moment of the copy, or a late standby, has
	 * them: in one transaction, so that no watch sees the session gone in between.
	 */
	private void restore() {
		this.transaction.executeWithoutResult((status) -> COPIES.forEach((table, key) -> {
			this.database.execute(
					"delete from %1$s where %2$s in (select session_key from copy_of_sessions)".formatted(table, key));
			this.database.execute("insert into %1$s select * from copy_of_%1$s".formatted(table));
		}));
	}

	private String append(String... ids) {
		String etag = "";
		for (String id : ids) {
			etag = this.api.append("s1", "{'id': '" + id + "', 'author': 'user', 'invocationId': 'i'}").ok().etag();
		}
		return etag;
	}

	private Answer post(String suffix, String body, String tag) {
		return this.api.http().post(this.api.eventsPath("s1") + suffix, Json.of(body), "If-Match", tag);
	}

	private String lastId() {
		try (EventSource watch = watch("?afterSeq=" + (this.api.get("s1").revision() - 1))) {
			return String.valueOf(watch.next().id());
		}
	}

	private EventSource watch(String query, String... headers) {
		return EventSource.open(this.api.http().port(), this.api.eventsPath("s1") + ":watch" + query, headers);
	}

	private static void assertHistoryChanged(EventSource watch) {
		EventSource.Message end = watch.next();
		assertThat(end.type()).as("%s", end).isEqualTo("end");
		assertThat(end.data()).isEqualTo(HISTORY_CHANGED);
		assertThat(watch.next().isEndOfStream()).isTrue();
	}

}
