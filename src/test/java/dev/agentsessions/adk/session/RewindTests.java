package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** A session can be taken back to before an invocation, as ADK's runner does it. */
@HttpTest
class RewindTests {

	private final Api api;

	RewindTests(Http http) {
		this.api = new Api(http);
	}

	@BeforeEach
	void plansATrip() {
		this.api.create("{'sessionId':'trip','state':{'city':'Oslo','mood':'open','user:name':'Ann','nothing':null}}")
			.ok();
		append("{'id':'e1','author':'user','invocationId':'i1','actions':{'stateDelta':{'days':3,'text':'\\u0000'}}}");
		append("{'id':'e2','author':'user','invocationId':'i2'}");
		append("{'id':'e3','author':'planner','invocationId':'i2','actions':{'stateDelta':{'city':'Rome','days':null,"
				+ "'mood':'__ADK_SENTINEL_REMOVED__','new':{'a':[1]},'user:name':'Anna','app:theme':'dark'}}}");
	}

	@Test
	void rewindAppendsSameEventAsAdk() {
		Answer rewound = rewind("{'beforeInvocationId':'i2'}").ok();
		assertThat(rewound.at("/event/author").stringValue()).isEqualTo("user");
		assertThat(rewound.at("/event/invocationId").stringValue()).matches("e-[0-9a-f-]{36}");
		assertThat(rewound.at("/event/id").stringValue()).hasSize(36);
		assertThat(rewound.at("/event/timestamp").isNumber()).isTrue();
		assertThat(rewound.at("/event/actions")).isEqualTo(Json
			.node("{'rewindBeforeInvocationId':'i2','stateDelta':{'city':'Oslo','mood':'open','days':3,'new':null,"
					+ "'nothing':null},'artifactDelta':{},'requestedAuthConfigs':{},'requestedToolConfirmations':{}}"));
		assertThat(rewound.at("/revision").intValue()).isEqualTo(4);
		assertThat(rewound.revision()).isEqualTo(4);
		assertThat(this.api.get("trip").ok().at("/events/3")).isEqualTo(rewound.at("/event"));
	}

	@Test
	void rewindRestoresOwnStateOnly() {
		rewind("{'beforeInvocationId':'i2'}").ok();
		assertThat(this.api.get("trip").ok().at("/state"))
			.isEqualTo(Json.node("{'city':'Oslo','mood':'open','days':3,'text':'\\u0000','new':null,'nothing':null,"
					+ "'user:name':'Anna','app:theme':'dark'}"));
		assertThat(this.api.get("trip").ok().at("/events")).hasSize(4);
	}

	@Test
	void rewindRestoresInitialState() {
		rewind("{'beforeInvocationId':'i1'}").ok();
		assertThat(this.api.get("trip").ok().at("/state"))
			.isEqualTo(Json.node("{'city':'Oslo','mood':'open','days':null,'text':null,'new':null,'nothing':null,"
					+ "'user:name':'Anna','app:theme':'dark'}"));
	}

	@Test
	void rewindIsReplayed() {
		Answer first = rewind("{'beforeInvocationId':'i2','eventId':'r1'}", "If-Match", "\"3\"").ok();
		append("{'id':'e4','author':'user','invocationId':'i3','actions':{'stateDelta':{'city':'Bonn'}}}");
		Answer again = rewind("{'beforeInvocationId':'i2','eventId':'r1'}", "If-Match", "\"3\"").ok();
		assertThat(again.body()).isEqualTo(first.body());
		assertThat(again.header("Idempotent-Replayed")).hasValue("true");
		assertThat(again.etag()).isEqualTo(first.etag());
		assertThat(this.api.get("trip").ok().revision()).isEqualTo(5);
		rewind("{'beforeInvocationId':'i1','eventId':'r1'}").problem(409, "EVENT_ID_CONFLICT");
		rewind("{'beforeInvocationId':'i1','eventId':'e1'}").problem(409, "EVENT_ID_CONFLICT");
	}

	@Test
	void rewindOfRewindRestoresState() {
		rewind("{'beforeInvocationId':'i2'}").ok();
		append("{'id':'e5','author':'user','invocationId':'i5','actions':{'stateDelta':{'city':'Bonn'}}}");
		Answer second = rewind("{'beforeInvocationId':'i5'}").ok();
		assertThat(second.at("/event/actions/stateDelta"))
			.isEqualTo(Json.node("{'city':'Oslo','new':null,'nothing':null}"));
	}

	@Test
	void staleRewindIsRefused() {
		rewind("{'beforeInvocationId':'i2'}", "If-Match", "\"2\"").problem(412, "STALE_SESSION");
		rewind("{'beforeInvocationId':'i2'}", "If-Match", "\"7\"").problem(412, "STALE_SESSION");
		Answer late = this.api.http()
			.post(this.api.sessionPath("trip") + ":rewind?lastUpdateTime=1", Json.of("{'beforeInvocationId':'i2'}"))
			.problem(409, "STALE_SESSION");
		assertThat(late.at("/revision").intValue()).isEqualTo(3);
		assertThat(late.text("/missedEvents")).endsWith("afterSeq=0");
		assertThat(this.api.get("trip").ok().revision()).isEqualTo(3);
		String time = this.api.get("trip").ok().at("/lastUpdateTime").asString();
		this.api.http()
			.post(this.api.sessionPath("trip") + ":rewind?lastUpdateTime=" + time,
					Json.of("{'beforeInvocationId':'i2'}"))
			.ok();
		rewind("{'beforeInvocationId':'i2'}", "If-Match", this.api.get("trip").ok().etag()).ok();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', value = { "{} | 422 | VALIDATION_FAILED",
			"{'beforeInvocationId':'none'} | 404 | INVOCATION_NOT_FOUND",
			"{'beforeInvocationId':''} | 400 | INVALID_ARGUMENT", "{'beforeInvocationId':1} | 422 | VALIDATION_FAILED",
			"{'beforeInvocationId':'\\u0000'} | 400 | INVALID_ARGUMENT",
			"{'rewindBeforeInvocationId':'i1'} | 422 | VALIDATION_FAILED",
			"{'beforeInvocationId':'i1','eventId':'a/b'} | 400 | INVALID_ARGUMENT",
			"{'beforeInvocationId':'i1','beforeSeq':1} | 422 | VALIDATION_FAILED",
			"{'beforeSeq':1,'beforeEventId':'e1'} | 422 | VALIDATION_FAILED",
			"{'beforeSeq':'1'} | 422 | VALIDATION_FAILED", "{'beforeSeq':-1} | 422 | VALIDATION_FAILED",
			"{'beforeSeq':0} | 400 | INVALID_ARGUMENT", "{'beforeSeq':4} | 400 | INVALID_ARGUMENT",
			"{'atSeq':1} | 422 | VALIDATION_FAILED", "{'beforeEventId':'none'} | 404 | EVENT_NOT_FOUND",
			"{'beforeEventId':'\\u0000'} | 400 | INVALID_ARGUMENT", "{'beforeEventId':7} | 422 | VALIDATION_FAILED" })
	void saysWhatIsWrong(String body, int status, String code) {
		rewind(body).problem(status, code);
		assertThat(this.api.get("trip").ok().revision()).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'beforeSeq':2}", "{'before_seq':2}", "{'beforeEventId':'e2'}" })
	void goesBackToBeforeTheFirstEventOfAnInvocation(String body) {
		Answer rewound = rewind(body).ok();
		assertThat(rewound.text("/event/actions/rewindBeforeInvocationId")).isEqualTo("i2");
		assertThat(rewound.at("/event/actions/stateDelta"))
			.isEqualTo(Json.node("{'city':'Oslo','mood':'open','days':3,'new':null,'nothing':null}"));
	}

	@Test
	void mayBeSentAgainWithAnEvent() {
		Answer first = rewind("{'beforeSeq':2,'eventId':'r1'}").ok();
		Answer again = rewind("{'beforeEventId':'e2','eventId':'r1'}").ok();
		assertThat(again.body()).isEqualTo(first.body());
		assertThat(again.header("Idempotent-Replayed")).hasValue("true");
		rewind("{'beforeSeq':1,'eventId':'r1'}").problem(409, "EVENT_ID_CONFLICT");
	}

	/** ADK leaves out all from the first event of an invocation on. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			value = { "{'beforeSeq':3} | beforeSeq", "{'beforeEventId':'e3'} | beforeEventId" })
	void namesTheInvocationInWhoseMiddleAnEventIs(String body, String field) {
		Answer refused = rewind(body).problem(400, "INVALID_ARGUMENT");
		assertThat(refused.detail()).isEqualTo(
				field + " must name the first event of an invocation; event 3 is one of 'i2', which begins at seq 2");
		assertThat(refused.text("/invocationId")).isEqualTo("i2");
		assertThat(refused.at("/firstSeq").intValue()).isEqualTo(2);
		assertThat(this.api.get("trip").ok().revision()).isEqualTo(3);
	}

	@Test
	void refusesAnEventWithoutInvocation() {
		append("{'id':'e4','author':'user'}");
		assertThat(rewind("{'beforeSeq':4}").problem(400, "INVALID_ARGUMENT").detail())
			.isEqualTo("beforeSeq must name an event of an invocation; event 4 has none");
	}

	@Test
	void rewindOfMissingSessionReturns404() {
		this.api.http()
			.post(this.api.sessionPath("none") + ":rewind", Json.of("{'beforeInvocationId':'i1'}"))
			.problem(404, "SESSION_NOT_FOUND");
	}

	private Answer rewind(String body, String... headers) {
		return this.api.http().post(this.api.sessionPath("trip") + ":rewind", Json.of(body), headers);
	}

	private void append(String event) {
		this.api.append("trip", event).ok();
	}

}
