package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** A session can be copied up to any point of its history, and both go on apart. */
@HttpTest
class ForkTests {

	private final Api api;

	private final JdbcTemplate jdbc;

	ForkTests(Http http, JdbcTemplate jdbc) {
		this.api = new Api(http);
		this.jdbc = jdbc;
	}

	@BeforeEach
	void plansATrip() {
		this.api
			.create("{'sessionId':'trip','state':{'city':'Oslo','user:name':'Ann'},'displayName':'Trip',"
					+ "'labels':{'kind':'holiday'}}")
			.ok();
		append("trip", "{'id':'e1','author':'user','invocationId':'i1','timestamp':100}");
		append("trip", "{'id':'e2','author':'planner','invocationId':'i1','timestamp':101.5,"
				+ "'actions':{'stateDelta':{'city':'Rome','days':3,'user:name':'Anna'}}}");
		append("trip", "{'id':'e3','author':'user','invocationId':'i2','timestamp':102,"
				+ "'actions':{'stateDelta':{'days':null,'text':'\\u0000'}}}");
	}

	@Test
	void forkHasEventsAndOwnStateUntilPoint() {
		Answer fork = fork("trip", "{'atSeq':2,'sessionId':'trip 2'}");
		assertThat(fork.header("Location")).hasValue(this.api.sessionPath("trip 2"));
		assertThat(fork.at("/id").stringValue()).isEqualTo("trip 2");
		assertThat(fork.at("/state")).isEqualTo(Json.node("{'city':'Rome','days':3,'user:name':'Anna'}"));
		assertThat(fork.at("/events")).isEqualTo(this.api.get("trip", "atSeq=2").ok().at("/events"));
		assertThat(fork.at("/forkedFrom")).isEqualTo(Json.node("{'sessionId':'trip','seq':2}"));
		assertThat(fork.revision()).isEqualTo(2);
		assertThat(fork.body()).isEqualTo(this.api.get("trip 2").ok().body());
		assertThat(fork.etag()).isEqualTo(this.api.get("trip 2").ok().etag());
	}

	/** Its plugin would refuse the next run of the fork. */
	@Test
	void forkHasNoStampsOfAdk() {
		append("trip", "{'id':'e4','author':'planner','invocationId':'i2','timestamp':103,'customMetadata':"
				+ "{'a':1.0,'__adk_internal_fc_hmac':{'c':'v1:0'},'b':[2]},'x':'ü','actions':{}}");
		append("trip", "{'id':'e5','author':'planner','text':'__adk_internal_fc_hmac','timestamp':104,'actions':{}}");
		Answer source = this.api.get("trip").ok();
		fork("trip", "{'sessionId':'f'}");
		assertThat(eventsOf(this.api.get("f")))
			.isEqualTo(eventsOf(source).replace("\"__adk_internal_fc_hmac\":{\"c\":\"v1:0\"},\"b\":[2]",
					"\"b\":[2],\"__adk_internal_restored_event\":true"));
		assertThat(this.api.get("trip").body()).isEqualTo(source.body());
		assertThat(this.jdbc.queryForList("select size = octet_length(body::text) from events join sessions "
				+ "using (session_key) where app_name = ?", Boolean.class, this.api.app()))
			.containsOnly(true);
	}

	private static String eventsOf(Answer session) {
		String body = session.body();
		return body.substring(body.indexOf("\"events\""), body.indexOf("\"lastUpdateTime\""));
	}

	/** Percent-encoded, each of them has 6,144 characters. */
	@Test
	void locationOfForkHasLongestNames() {
		String longest = "\uD840\uDC00".repeat(512);
		Api named = this.api.as(longest);
		named.create("{'sessionId':'" + longest + "'}").ok();
		String fork = "x" + "\uD840\uDC00".repeat(511);
		Answer answer = named.http()
			.post(named.sessionPath(longest) + ":fork", Json.of("{'sessionId':'" + fork + "'}"));
		assertThat(answer.status()).isEqualTo(201);
		assertThat(answer.header("Location")).hasValue(named.sessionPath(fork));
	}

	@Test
	void forkDoesNotChangeItsSource() {
		String before = this.api.get("trip").ok().body();
		fork("trip", "{'atSeq':1,'sessionId':'other'}");
		assertThat(this.api.get("trip").ok().body()).isEqualTo(before);
	}

	@Test
	void appendToForkDoesNotChangeItsSource() {
		fork("trip", "{'atSeq':2,'sessionId':'other'}");
		append("other", "{'id':'e3','author':'user','actions':{'stateDelta':{'city':'Bonn'}}}");
		append("trip", "{'id':'e4','author':'user','actions':{'stateDelta':{'city':'Wien'}}}");
		assertThat(this.api.get("other").ok().at("/state/city").stringValue()).isEqualTo("Bonn");
		assertThat(this.api.get("trip").ok().at("/state/city").stringValue()).isEqualTo("Wien");
		this.api.append("other", "{'id':'e2','author':'other'}").problem(409, "EVENT_ID_CONFLICT");
		this.api.delete("trip");
		assertThat(this.api.get("other").ok().at("/events")).hasSize(3);
		assertThat(this.api.get("other").ok().at("/forkedFrom/sessionId").stringValue()).isEqualTo("trip");
	}

	@Test
	void forkEndsBeforeInvocation() {
		Answer fork = fork("trip", "{'beforeInvocationId':'i2'}");
		assertThat(fork.at("/events")).hasSize(2);
		assertThat(fork.at("/id").stringValue()).hasSize(36);
		Answer empty = fork("trip", "{'before_invocation_id':'i1'}");
		assertThat(empty.at("/events")).isEmpty();
		assertThat(empty.at("/state")).isEqualTo(Json.node("{'city':'Oslo','user:name':'Anna'}"));
		assertThat(empty.at("/forkedFrom/seq").intValue()).isZero();
	}

	@Test
	void forkWithoutPointCopiesWholeSession() {
		Answer fork = this.api.http().post(this.api.sessionPath("trip") + ":fork?numRecentEvents=1", "");
		assertThat(fork.status()).isEqualTo(201);
		assertThat(fork.at("/state")).isEqualTo(this.api.get("trip").ok().at("/state"));
		assertThat(fork.at("/events")).hasSize(1);
		assertThat(fork.revision()).isEqualTo(3);
	}

	@Test
	void forkHasItsOwnPast() {
		fork("trip", "{'atSeq':2,'sessionId':'other'}");
		append("other", "{'id':'x','author':'user','actions':{'stateDelta':{'city':'Bonn'}}}");
		for (int seq = 0; seq <= 2; seq++) {
			assertThat(this.api.get("other", "atSeq=" + seq).ok().at("/state"))
				.isEqualTo(this.api.get("trip", "atSeq=" + seq).ok().at("/state"));
		}
		Answer again = fork("other", "{'atSeq':1,'sessionId':'third'}");
		assertThat(again.at("/state/city").stringValue()).isEqualTo("Oslo");
		assertThat(again.at("/forkedFrom")).isEqualTo(Json.node("{'sessionId':'other','seq':1}"));
	}

	/** What is noted of events holds in the fork as it held then. */
	@Test
	void contextViewOfForkIsThatOfItsPoint() {
		this.api.http().post(this.api.sessionPath("trip") + ":rewind", Json.of("{'beforeInvocationId':'i2'}")).ok();
		append("trip", "{'id':'e5','author':'user','invocationId':'i3','timestamp':103}");
		this.api.http().post(this.api.sessionPath("trip") + ":rewind", Json.of("{'beforeInvocationId':'i1'}")).ok();
		assertThat(ids(this.api.get("trip", "view=context"))).isEmpty();
		for (int seq = 0; seq <= 6; seq++) {
			fork("trip", "{'atSeq':%d,'sessionId':'f%d'}".formatted(seq, seq));
			List<String> seen = ids(this.api.get("f" + seq, "view=context"));
			assertThat(seen).as("at %d", seq).isEqualTo(ids(this.api.get("trip", "view=context&atSeq=" + seq)));
			assertThat(seen).as("at %d", seq).hasSize(List.of(0, 1, 2, 3, 2, 3, 0).get(seq));
		}
		append("f5", "{'id':'e6','author':'user','invocationId':'i4','timestamp':104}");
		assertThat(ids(this.api.get("f5", "view=context"))).containsExactly("e1", "e2", "e5", "e6");
	}

	/** What somebody has answered since then is still to be answered in the fork. */
	@Test
	void forkHasPendingCallsOfItsPoint() {
		append("trip", "{'id':'e4','author':'planner','invocationId':'i3','longRunningToolIds':['c1'],'content':"
				+ "{'role':'model','parts':[{'functionCall':{'id':'c1','name':'book','args':{'city':'Rome'}}}]}}");
		append("trip", "{'id':'e5','author':'user','invocationId':'i3','content':{'role':'user','parts':"
				+ "[{'functionResponse':{'id':'c1','name':'book','response':{'ok':true}}}]}}");
		fork("trip", "{'atSeq':3,'sessionId':'f3'}");
		fork("trip", "{'atSeq':4,'sessionId':'f4'}");
		fork("trip", "{'sessionId':'f5'}");
		assertThat(pending("f3")).isEmpty();
		assertThat(pending("f4")).containsExactly("e4");
		assertThat(pending("f5")).isEmpty();
		assertThat(ids(this.api.list("waiting=true").ok().json(), "id")).containsExactly("f4");
		append("f4", "{'author':'user','invocationId':'i3','content':{'role':'user','parts':"
				+ "[{'functionResponse':{'id':'c1','name':'book','response':{'ok':false}}}]}}");
		assertThat(pending("f4")).isEmpty();
	}

	private List<String> pending(String id) {
		return ids(this.api.http().get(this.api.sessionPath(id) + "/pending").ok().at("/pending"), "eventId");
	}

	private static List<String> ids(JsonNode objects, String name) {
		return objects.valueStream().map((object) -> object.path(name).stringValue()).toList();
	}

	private static List<String> ids(Answer session) {
		return ids(session.ok().at("/events"), "id");
	}

	@Test
	void forkIsNewestSessionOfUser() {
		fork("trip", "{'atSeq':1,'sessionId':'other'}");
		Answer list = this.api.list("order=desc").ok();
		assertThat(list.at("/0/id").stringValue()).isEqualTo("other");
		assertThat(list.at("/0/forkedFrom")).isEqualTo(Json.node("{'sessionId':'trip','seq':1}"));
		assertThat(list.at("/1/forkedFrom").isMissingNode()).isTrue();
	}

	@Test
	void forkTakesDetailsOfSourceByDefault() {
		Answer same = fork("trip", "{}");
		assertThat(same.at("/displayName").stringValue()).isEqualTo("Trip");
		assertThat(same.at("/labels")).isEqualTo(Json.node("{'kind':'holiday'}"));
		this.api.update("trip", "{'ttl':1000}").ok();
		Answer other = fork("trip", "{'displayName':'What if','ttl':'3600s'}");
		assertThat(other.at("/displayName").stringValue()).isEqualTo("What if");
		assertThat(other.at("/labels")).isEqualTo(Json.node("{'kind':'holiday'}"));
		String end = this.api.get("trip").ok().header("X-Expire-Time").orElseThrow();
		assertThat(other.header("X-Expire-Time").orElseThrow()).isGreaterThan(end);
		assertThat(fork("trip", "{}").header("X-Expire-Time")).hasValue(end);
		assertThat(fork("trip", "{'expireTime':null}").header("X-Expire-Time")).isEmpty();
	}

	@Test
	void forkGetsUnusedId() {
		tryToFork("trip", "{'sessionId':'trip'}").problem(409, "ALREADY_EXISTS");
		this.api.create("{'sessionId':'old','expireTime':'2100-01-01T00:00:00Z'}").ok();
		tryToFork("trip", "{'sessionId':'old'}").problem(409, "ALREADY_EXISTS");
		this.api.create("{'sessionId':'gone','ttl':0.01}").ok();
		Awaitility.await().until(() -> this.api.get("gone").status() == 404);
		fork("trip", "{'sessionId':'gone'}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', value = { "{'atSeq':4} | 400 | INVALID_ARGUMENT",
			"{'atSeq':-1} | 422 | VALIDATION_FAILED", "{'atSeq':'1'} | 422 | VALIDATION_FAILED",
			"{'beforeInvocationId':'none'} | 404 | INVOCATION_NOT_FOUND",
			"{'beforeInvocationId':' '} | 400 | INVALID_ARGUMENT",
			"{'beforeInvocationId':'\\u0000'} | 400 | INVALID_ARGUMENT",
			"{'beforeInvocationId':'i1','atSeq':1} | 422 | VALIDATION_FAILED", "{'atseq':1} | 422 | VALIDATION_FAILED",
			"{'invocationId':'i1'} | 422 | VALIDATION_FAILED", "{'sessionId':'a/b'} | 400 | INVALID_ARGUMENT",
			"{'ttl':-1} | 400 | INVALID_ARGUMENT", "[] | 422 | VALIDATION_FAILED" })
	void saysWhatIsWrong(String body, int status, String code) {
		tryToFork("trip", body).problem(status, code);
		assertThat(this.api.list("").ok().json()).hasSize(1);
	}

	@Test
	void forkOfMissingOrStaleSessionIsRefused() {
		tryToFork("none", "{}").problem(404, "SESSION_NOT_FOUND");
		this.api.http().post(this.api.as("bob").sessionPath("trip") + ":fork", "{}").problem(404, "SESSION_NOT_FOUND");
		tryToFork("trip", "{}", "If-Match", "\"2\"").problem(412, "STALE_SESSION");
		this.api.http()
			.post(this.api.sessionPath("trip") + ":fork?lastUpdateTime=1", "{}")
			.problem(409, "STALE_SESSION");
		assertThat(tryToFork("trip", "{'atSeq':1}", "If-Match", this.api.get("trip").ok().etag()).status())
			.isEqualTo(201);
	}

	private Answer fork(String id, String body) {
		Answer answer = tryToFork(id, body);
		assertThat(answer.status()).as(answer.body()).isEqualTo(201);
		return answer;
	}

	private Answer tryToFork(String id, String body, String... headers) {
		return this.api.http().post(this.api.sessionPath(id) + ":fork", Json.of(body), headers);
	}

	private void append(String id, String event) {
		this.api.append(id, event).ok();
	}

}
