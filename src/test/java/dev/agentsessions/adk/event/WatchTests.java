package dev.agentsessions.adk.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** What a client sees that watches a session. */
@HttpTest
class WatchTests {

	private static final String SESSIONS = "/apps/watched/users/ann/sessions/";

	private final Http http;

	private final JdbcTemplate database;

	private final String session;

	WatchTests(Http http, JdbcTemplate database) {
		this.http = http;
		this.database = database;
		this.session = SESSIONS + "s" + System.nanoTime();
		http.post(this.session, "{}").ok();
	}

	@Test
	void showsWhatIsThereAndThenWhatComesAsTheListShowsIt() {
		append("{\"id\":\"e1\",\"author\":\"user\",\"content\":{\"parts\":[{\"text\":\"日本語 \\n \\u0000\"}]}}");
		append("{\"id\":\"e2\",\"author\":\"agent\",\n\r\n\"actions\":{\"stateDelta\":{\"temp:x\":1,\"y\":2}},\r\"n\": 1e400}");
		try (EventSource watch = watch("?afterSeq=0")) {
			List<EventSource.Message> shown = new ArrayList<>(List.of(watch.next(), watch.next()));
			append("{\"id\":\"e3\",\"author\":\"agent\",\"partial\":true}");
			append("{\"id\":\"e4\",\"author\":\"agent\"}");
			shown.add(watch.next());
			assertThat(shown).extracting(EventSource.Message::seq).containsExactly(1L, 2L, 3L);
			List<JsonNode> listed = this.http.get(this.session + "/events").ok().at("/events").valueStream().toList();
			assertThat(shown).extracting(EventSource.Message::json).containsExactlyElementsOf(listed);
			assertThat(shown.get(1).data()).contains("1e400").doesNotContain("temp:x");
		}
	}

	@Test
	void sendsEachEventOnOneLineForReadersThatKnowMoreLineEnds() {
		append("{\"author\":\"a\",\"text\u2028\":\"a\u2028b\u2029c\u0085d\\u2028e\"}");
		try (EventSource watch = watch("?afterSeq=0")) {
			String data = watch.next().data();
			assertThat(data.split("\\R")).hasSize(1);
			assertThat(Json.read(data)).isEqualTo(this.http.get(this.session + "/events").ok().at("/events/0"));
		}
	}

	@Test
	void showsAllThatComesInOrderHoweverItComes() {
		try (EventSource watch = watch("")) {
			append("{\"author\":\"a\"}");
			this.http.post(this.session + "/events:batch", "{\"events\":[{\"author\":\"b\"},{\"author\":\"c\"}]}").ok();
			this.http.patch(this.session, "{\"stateDelta\":{\"k\":1}}").ok();
			this.http
				.post("/v1beta1/reasoningEngines/watched/sessions/" + this.session.substring(SESSIONS.length())
						+ ":appendEvent",
						"{\"author\":\"d\",\"invocationId\":\"i\",\"timestamp\":\"2026-01-01T00:00:00Z\"}")
				.ok();
			assertThat(watch.nextIds(5)).containsExactly(1L, 2L, 3L, 4L, 5L);
		}
	}

	@Test
	void beginsWithWhatComesIfNothingElseIsSaid() {
		appendMany(3);
		try (EventSource watch = watch("")) {
			appendMany(1);
			assertThat(watch.nextIds(1)).containsExactly(4L);
		}
	}

	@Test
	void goesOnBehindTheLastEventIdWhateverTheAddressSays() {
		appendMany(5);
		try (EventSource watch = watch("?afterSeq=1", "Last-Event-ID", "3")) {
			assertThat(watch.nextIds(2)).containsExactly(4L, 5L);
		}
	}

	@Test
	void showsAHistoryOfManyPieces() {
		int events = 3500;
		for (int batch = 0; batch < events / 500; batch++) {
			String event = "{\"author\":\"a\",\"filler\":\"" + "x".repeat(500) + "\"}";
			this.http
				.post(this.session + "/events:batch",
						"{\"events\":[" + String.join(",", Collections.nCopies(500, event)) + "]}")
				.ok();
		}
		try (EventSource watch = watch("?afterSeq=0")) {
			assertThat(watch.nextIds(events))
				.containsExactlyElementsOf(LongStream.rangeClosed(1, events).boxed().collect(Collectors.toList()));
		}
	}

	@Test
	void showsLargeEvents() {
		String text = "ü".repeat(3_000_000);
		try (EventSource watch = watch("")) {
			append("{\"author\":\"a\",\"text\":\"" + text + "\"}");
			append("{\"author\":\"a\",\"text\":\"" + text + "\"}");
			assertThat(watch.next().json().path("text").stringValue()).isEqualTo(text);
			assertThat(watch.next().json().path("text").stringValue()).isEqualTo(text);
		}
	}

	@Test
	void showsManyWatchersTheSame() {
		List<EventSource> watches = new ArrayList<>();
		for (int number = 0; number < 20; number++) {
			watches.add(watch("?afterSeq=0"));
		}
		appendMany(50);
		watches.forEach((watch) -> {
			assertThat(watch.nextIds(50)).isEqualTo(LongStream.rangeClosed(1, 50).boxed().toList());
			watch.close();
		});
	}

	@Test
	void endsWhenTheSessionIsDeleted() {
		try (EventSource watch = watch("")) {
			this.http.delete(this.session);
			assertEnds(watch, "SESSION_DELETED");
		}
	}

	@Test
	void neverShowsAnotherSession() {
		appendMany(2);
		try (EventSource watch = watch("")) {
			this.http.delete(this.session);
			this.http.post(this.session, "{\"events\":[{\"author\":\"a\"},{\"author\":\"b\"},{\"author\":\"c\"}]}")
				.ok();
			assertEnds(watch, "SESSION_DELETED");
		}
	}

	@Test
	void aNewConnectionFindsNoOtherSession() {
		appendMany(3);
		String etag = "?etag=" + this.http.get(this.session).etag().replace("\"", "%22");
		try (EventSource watch = watch(etag, "Last-Event-ID", "2")) {
			assertThat(watch.nextIds(1)).containsExactly(3L);
		}
		try (EventSource watch = watch(etag.replace("etag=", "etag=W/"), "Last-Event-ID", "2")) {
			assertThat(watch.nextIds(1)).containsExactly(3L);
		}
		this.http.delete(this.session);
		this.http.post(this.session, "{\"events\":[{\"author\":\"a\"},{\"author\":\"b\"},{\"author\":\"c\"}]}").ok();
		refusal(this.session, etag, "Last-Event-ID", "2").problem(404, "SESSION_NOT_FOUND");
		refusal(this.session, "?etag=3").problem(400, "INVALID_ARGUMENT");
	}

	/** As if it had been deleted and created again between two looks. */
	@Test
	void endsWhenAnotherSessionHasTakenThePlaceUnseen() {
		appendMany(2);
		try (EventSource watch = watch("")) {
			String id = this.session.substring(SESSIONS.length());
			this.database
				.update("insert into keys_to_sweep select session_key, user_key, now() from sessions where id = ?", id);
			this.database.update("update sessions set session_key = gen_random_uuid(), revision = 0 where id = ?", id);
			appendMany(1);
			assertEnds(watch, "SESSION_DELETED");
		}
	}

	@Test
	void endsWhenTheSessionExpires() {
		this.http.patch(this.session, "{\"expireTime\":\"" + Instant.now().plusSeconds(2) + "\"}").ok();
		try (EventSource watch = watch("")) {
			assertEnds(watch, "SESSION_EXPIRED");
		}
	}

	@Test
	void endsWhenTheUserIsErased() {
		this.http.post("/apps/watched/users/bob/sessions/s", "{}").ok();
		try (EventSource watch = EventSource.open(this.http.port(),
				"/apps/watched/users/bob/sessions/s/events:watch")) {
			this.http.delete("/apps/watched/users/bob").ok();
			assertEnds(watch, "SESSION_DELETED");
		}
	}

	@Test
	void isAnUncompressedStreamThatNobodyKeeps() {
		try (EventSource watch = watch("?afterSeq=0", "Accept-Encoding", "gzip")) {
			assertThat(watch.status()).isEqualTo(200);
			assertThat(watch.header("Content-Type")).hasValue("text/event-stream;charset=UTF-8");
			assertThat(watch.header("Content-Encoding")).isEmpty();
			assertThat(watch.header("Cache-Control")).hasValue("no-store, no-transform");
			assertThat(watch.header("X-Accel-Buffering")).hasValue("no");
			assertThat(watch.header("X-Content-Type-Options")).hasValue("nosniff");
			assertThat(watch.header("ETag")).hasValue(this.http.get(this.session).etag());
		}
	}

	@Test
	void answersHeadWithoutABody() {
		Answer head = this.http.send("HEAD", this.session + "/events:watch", BodyPublishers.noBody());
		assertThat(head.status()).isEqualTo(200);
		assertThat(head.header("Content-Type")).hasValue("text/event-stream;charset=UTF-8");
	}

	@ParameterizedTest
	@CsvSource({ "?afterSeq=x, afterSeq", "?afterSeq=-1, 'at most 2'", "?afterSeq=3, 'at most 2'",
			"?afterSeq=9999999999999999999, afterSeq", "?limit=1, 'it has afterSeq'" })
	void refusesAPlaceThatIsNotThere(String query, String hint) {
		appendMany(2);
		assertThat(refusal(this.session, query).problem(400, "INVALID_ARGUMENT").detail()).contains(hint);
	}

	@ParameterizedTest
	@CsvSource({ "x", "-1", "3", "1.x", "1.5.1", "1.999999999999999999", "0x1", "+1", "01", "#1" })
	void refusesALastEventIdThatIsNotThere(String id) {
		appendMany(2);
		refusal(this.session, "", "Last-Event-ID", id).problem(400, "INVALID_ARGUMENT");
	}

	@Test
	void tellsThatThereIsNoSession() {
		refusal(SESSIONS + "missing", "").problem(404, "SESSION_NOT_FOUND");
	}

	@Test
	void leavesNoThreadBehind() {
		EventSource watch = watch("");
		Awaitility.await().until(() -> threads().contains("watch-poll"));
		watch.close();
		Awaitility.await().until(() -> threads().stream().noneMatch((name) -> name.startsWith("watch-")));
	}

	private static Set<String> threads() {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.toSet());
	}

	private static void assertEnds(EventSource watch, String reason) {
		EventSource.Message end = watch.next();
		assertThat(end.type()).as("%s", end).isEqualTo("end");
		assertThat(end.json()).isEqualTo(Json.read("{\"reason\":\"" + reason + "\"}"));
		assertThat(end.id()).isNull();
		assertThat(watch.next().isEndOfStream()).isTrue();
	}

	private EventSource watch(String query, String... headers) {
		return EventSource.open(this.http.port(), this.session + "/events:watch" + query, headers);
	}

	private Answer refusal(String session, String query, String... headers) {
		String[] all = new String[headers.length + 2];
		all[0] = "Accept";
		all[1] = "text/event-stream";
		System.arraycopy(headers, 0, all, 2, headers.length);
		return this.http.send("GET", session + "/events:watch" + query, BodyPublishers.noBody(), all);
	}

	private void appendMany(int count) {
		for (int number = 0; number < count; number++) {
			append("{\"author\":\"a\"}");
		}
	}

	private void append(String event) {
		this.http.post(this.session + "/events", event).ok();
	}

}
