package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** A session can be read as it was after any of its events. */
@HttpTest
class PastSessionTests {

	private final Api api;

	private final JdbcTemplate jdbc;

	PastSessionTests(Http http, JdbcTemplate jdbc) {
		this.api = new Api(http);
		this.jdbc = jdbc;
	}

	@BeforeEach
	void plansATrip() {
		this.api.create("{'sessionId':'trip','state':{'city':'Oslo','mood':'open','user:name':'Ann'}}").ok();
		append("{'id':'e1','author':'user','invocationId':'i1','timestamp':100}");
		append("{'id':'e2','author':'planner','invocationId':'i1','timestamp':101.5,"
				+ "'actions':{'stateDelta':{'city':'Rome','days':3,'user:name':'Anna'}}}");
		append("{'id':'e3','author':'planner','invocationId':'i2','timestamp':102,"
				+ "'actions':{'stateDelta':{'days':null,'mood':'__ADK_SENTINEL_REMOVED__','app:theme':'dark'}}}");
	}

	@Test
	void pastSessionAtZeroHasInitialState() {
		Answer past = this.api.get("trip", "atSeq=0").ok();
		assertThat(past.at("/state")).isEqualTo(Json.node("{'city':'Oslo','mood':'open'}"));
		assertThat(past.at("/events")).isEmpty();
		assertThat(past.revision()).isZero();
	}

	@Test
	void pastSessionHasEventsAndStateUntilSeq() {
		Answer past = this.api.get("trip", "atSeq=2&includeRevision=true").ok();
		assertThat(past.at("/state")).isEqualTo(Json.node("{'city':'Rome','days':3,'mood':'open','user:name':'Anna'}"));
		assertThat(past.at("/events").valueStream().map((event) -> event.path("id").stringValue()))
			.containsExactly("e1", "e2");
		assertThat(past.revision()).isEqualTo(2);
		assertThat(past.at("/revision").intValue()).isEqualTo(2);
		assertThat(past.at("/id").stringValue()).isEqualTo("trip");
	}

	@Test
	void pastSessionHasLastUpdateTimeOfSeq() {
		JsonNode now = this.api.get("trip").ok().at("/lastUpdateTime");
		JsonNode then = this.api.get("trip", "atSeq=2").ok().at("/lastUpdateTime");
		assertThat(then.decimalValue()).isLessThan(now.decimalValue());
		assertThat(this.api.get("trip", "atSeq=3").ok().at("/lastUpdateTime")).isEqualTo(now);
	}

	@Test
	void pastSessionIsNotChangedByLaterWrites() {
		String then = this.api.get("trip", "atSeq=3").ok().body();
		append("{'id':'e4','author':'planner','actions':{'stateDelta':{'city':'Bonn','user:name':'A','new':1}}}");
		this.api.http().patch(this.api.userPath() + "/state", Json.of("{'name':'Nobody'}")).ok();
		assertThat(this.api.get("trip", "atSeq=3").ok().body()).isEqualTo(then);
	}

	@Test
	void entityTagOfPastSessionIsStale() {
		String then = this.api.get("trip", "atSeq=2").ok().etag();
		this.api.append("trip", "{'author':'user'}", "If-Match", then).problem(412, "STALE_SESSION");
		String now = this.api.get("trip", "atSeq=3").ok().etag();
		this.api.append("trip", "{'author':'user'}", "If-Match", now).ok();
	}

	@Test
	void pastSessionHasWindowOfEvents() {
		assertThat(ids("atSeq=2&numRecentEvents=1")).isEqualTo("[e2]");
		assertThat(ids("atSeq=2&numRecentEvents=5")).isEqualTo("[e1, e2]");
		assertThat(ids("atSeq=2&numRecentEvents=0")).isEqualTo("[]");
		assertThat(ids("atSeq=2&afterTimestamp=101.5")).isEqualTo("[e2]");
		assertThat(ids("atSeq=3&afterTimestamp=100&numRecentEvents=2")).isEqualTo("[e2, e3]");
		assertThat(ids("atSeq=3&afterTimestamp=200&numRecentEvents=2")).isEqualTo("[]");
		assertThat(ids("atSeq=3&afterTimestamp=200")).isEqualTo("[]");
	}

	@Test
	void pastSessionHasMoreEventsThanOneChunk() {
		String events = ("{'author':'a','content':{'parts':[{'text':'" + "x".repeat(1000) + "'}]}},").repeat(800);
		for (int number = 0; number < 2; number++) {
			this.api.http()
				.post(this.api.eventsPath("trip") + ":batch",
						Json.of("{'events':[" + events.substring(0, events.length() - 1) + "]}"))
				.ok();
		}
		assertThat(this.api.get("trip", "atSeq=1500").ok().at("/events")).hasSize(1500);
	}

	@Test
	void seqBeyondNewestEventIsRefused() {
		Answer beyond = this.api.get("trip", "atSeq=4").problem(400, "INVALID_ARGUMENT");
		assertThat(beyond.detail()).isEqualTo("atSeq must not be greater than the number of events, 3");
		this.api.get("trip", "atSeq=-1").problem(400, "INVALID_ARGUMENT");
		this.api.get("trip", "atSeq=x").problem(400, "INVALID_ARGUMENT");
		this.api.get("trip", "at_seq=1").ok();
		this.api.get("none", "atSeq=0").problem(404, "SESSION_NOT_FOUND");
	}

	@Test
	void pastStateIsExplained() {
		Answer state = this.api.http().get(this.api.sessionPath("trip") + "/state?atSeq=2").ok();
		assertThat(state.at("/state")).isEqualTo(Json
			.node("""
					{'city':{'scope':'session','value':'Rome','event':{'seq':2,'eventId':'e2','author':'planner','timestamp':101.5}},
					 'days':{'scope':'session','value':3,'event':{'seq':2,'eventId':'e2','author':'planner','timestamp':101.5}},
					 'mood':{'scope':'session','value':'open','event':null},
					 'user:name':{'scope':'user','value':'Anna','event':{'seq':2,'eventId':'e2','author':'planner','timestamp':101.5}}}
					"""));
		assertThat(state.at("/seq").intValue()).isEqualTo(2);
		assertThat(state.at("/sharedStateCurrent").booleanValue()).isFalse();
		assertThat(state.revision()).isEqualTo(2);
	}

	@Test
	void currentStateIsExplained() {
		this.api.http().patch(this.api.userPath() + "/state", Json.of("{'name':'Nobody','mail':'a@b'}")).ok();
		Answer state = this.api.http().get(this.api.sessionPath("trip") + "/state").ok();
		assertThat(state.at("/state")).isEqualTo(Json
			.node("""
					{'city':{'scope':'session','value':'Rome','event':{'seq':2,'eventId':'e2','author':'planner','timestamp':101.5}},
					 'days':{'scope':'session','value':null,'event':{'seq':3,'eventId':'e3','author':'planner','timestamp':102}},
					 'app:theme':{'scope':'app','value':'dark','event':{'seq':3,'eventId':'e3','author':'planner','timestamp':102}},
					 'user:mail':{'scope':'user','value':'a@b','event':null},
					 'user:name':{'scope':'user','value':'Nobody','event':null}}
					"""));
		assertThat(state.at("/seq").intValue()).isEqualTo(3);
		assertThat(state.at("/sharedStateCurrent").booleanValue()).isTrue();
		this.api.http().get(this.api.sessionPath("none") + "/state").problem(404, "SESSION_NOT_FOUND");
		this.api.http().get(this.api.sessionPath("trip") + "/state?atSeq=4").problem(400, "INVALID_ARGUMENT");
		this.api.http().get(this.api.sessionPath("trip") + "/state?atSeq=-4").problem(400, "INVALID_ARGUMENT");
	}

	private void append(String event) {
		this.api.append("trip", event).ok();
	}

	private String ids(String query) {
		return this.api.get("trip", query)
			.ok()
			.at("/events")
			.valueStream()
			.map((event) -> event.path("id").stringValue())
			.toList()
			.toString();
	}

}
