package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** Appends over HTTP with a precondition that does or does not hold. */
@HttpTest
class StaleAppendTests {

	private static final String EVENT = "{'id': 'mine', 'author': 'user', 'actions': {'stateDelta': {'k': 'mine'}}}";

	private final Api api;

	private final String createdTime;

	StaleAppendTests(Http http) {
		this.api = new Api(http);
		this.createdTime = this.api.create("{'sessionId': 's 1', 'state': {'k': 0}}")
			.ok()
			.at("/lastUpdateTime")
			.asString();
	}

	@Test
	void acceptsTheCurrentRevision() {
		this.api.append("s 1", "{'author': 'user'}", "If-Match", "\"0\"").ok();
		this.api.append("s 1", "{'author': 'user'}", "If-Match", "\"1\"").ok();
		this.api.append("s 1", "{'author': 'user'}", "If-Match", "*").ok();

		assertThat(this.api.get("s 1").revision()).isEqualTo(3);
	}

	@Test
	void acceptsTheCurrentTimeInEveryForm() {
		String time = this.createdTime;
		for (String form : new String[] { "%s", "%s000", "%s4" }) {
			time = this.api.appendAfter("s 1", form.formatted(padded(time)), "{'author': 'user'}")
				.ok()
				.at("/lastUpdateTime")
				.asString();
		}

		this.api.appendAfter("s 1", time, "{'author': 'user'}").ok();
	}

	@Test
	void tellsWhoComesWithAnOldRevisionWhatWasMissed() {
		this.api.append("s 1", "{'id': 'seen', 'author': 'user'}").ok();
		this.api.append("s 1", "{'id': 'missed 1', 'author': 'user'}").ok();
		Answer last = this.api.append("s 1", "{'id': 'missed 2', 'author': 'user'}").ok();

		Answer stale = this.api.append("s 1", EVENT, "If-Match", "\"1\"").problem(412, "STALE_SESSION");

		assertThat(stale.detail()).contains("has been modified in storage");
		assertThat(stale.at("/revision").intValue()).isEqualTo(3);
		assertThat(stale.at("/lastUpdateTime")).isEqualTo(last.at("/lastUpdateTime"));
		assertThat(missed(stale)).isEqualTo("missed 1 missed 2");
		assertNothingWritten(3);
		this.api.append("s 1", EVENT, "If-Match", "\"" + stale.at("/revision") + "\"").ok();
	}

	@Test
	void tellsWhoComesWithAnOldTimeWhatWasMissed() {
		Answer seen = this.api.append("s 1", "{'id': 'seen', 'author': 'user'}").ok();
		this.api.append("s 1", "{'id': 'missed', 'author': 'user'}").ok();

		Answer stale = this.api.appendAfter("s 1", seen.at("/lastUpdateTime").asString(), EVENT)
			.problem(409, "STALE_SESSION");

		assertThat(stale.at("/revision").intValue()).isEqualTo(2);
		assertThat(missed(stale)).isEqualTo("missed");
		assertThat(missed(this.api.appendAfter("s 1", this.createdTime, EVENT))).isEqualTo("seen missed");
		assertNothingWritten(2);
		this.api.appendAfter("s 1", stale.at("/lastUpdateTime").asString(), EVENT).ok();
	}

	@Test
	void refusesATimeOrARevisionOfTheFutureToo() {
		this.api.append("s 1", EVENT, "If-Match", "\"5\"").problem(412, "STALE_SESSION");
		Answer stale = this.api.appendAfter("s 1", "4000000000", EVENT).problem(409, "STALE_SESSION");

		assertThat(missed(stale)).isEmpty();
		assertNothingWritten(0);
	}

	@Test
	void refusesIfOneOfTwoPreconditionsDoesNotHold() {
		String path = this.api.eventsPath("s 1") + "?lastUpdateTime=";

		this.api.http().post(path + this.createdTime, "{}", "If-Match", "\"1\"").problem(412, "STALE_SESSION");
		this.api.http().post(path + "1700000000", "{}", "If-Match", "\"0\"").problem(412, "STALE_SESSION");
		assertNothingWritten(0);
		this.api.http().post(path + this.createdTime, "{}", "If-Match", "\"0\"").ok();
	}

	@Test
	void linksToTheMissedEventsFromEveryRouteThatAppends() {
		for (String id : new String[] { "events", "ü ?#&+{x}" }) {
			this.api.create(Json.object("sessionId", id)).ok();
			this.api.append(id, "{'id': 'missed'}").ok();

			String link = this.api.eventsPath(id) + "?afterSeq=0";
			String batch = Json.of("{'events': [{}]}");
			assertThat(List.of(this.api.append(id, "{}", "If-Match", "\"0\""),
					this.api.update(id, "{'stateDelta': {}}", "If-Match", "\"0\""),
					this.api.http().post(this.api.eventsPath(id) + ":batch", batch, "If-Match", "\"0\"")))
				.allSatisfy((stale) -> assertThat(stale.text("/missedEvents")).isEqualTo(link));
			assertThat(this.api.http().get(link).ok().text("/events/0/id")).isEqualTo("missed");
		}
	}

	/** The ids of the events behind the link. */
	private String missed(Answer stale) {
		Answer events = this.api.http().get(stale.text("/missedEvents")).ok();
		return String.join(" ", events.at("/events").findValuesAsString("id"));
	}

	private void assertNothingWritten(long revision) {
		Answer session = this.api.get("s 1");
		assertThat(session.revision()).isEqualTo(revision);
		assertThat(session.at("/state/k").intValue()).isZero();
	}

	/** All six digits, so that more may follow. */
	private static String padded(String seconds) {
		return new BigDecimal(seconds).setScale(6).toPlainString();
	}

}
