package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/** One turn at a time: leases over HTTP. */
@HttpTest
class LeaseControllerTests {

	private static final String QUESTION = "{'id': 'e1', 'author': 'user', 'invocationId': 'i1'}";

	private static final String ANSWER = "{'id': 'e2', 'author': 'agent', 'actions': {'stateDelta': {'k': 2}}}";

	private final Api api;

	LeaseControllerTests(Http http) {
		this.api = new Api(http);
		this.api.create("{'sessionId': 's 1', 'state': {'k': 1}}").ok();
	}

	@Test
	void leaseLetsOneHolderAfterAnotherWrite() {
		Answer first = this.api.acquire("s 1", "{'holder': 'worker-7', 'ttl': '60s'}").ok();
		this.api.append("s 1", QUESTION, "Lease", number(first)).ok();

		Answer busy = this.api.acquire("s 1", "{'holder': 'worker-8', 'ttl': '60s'}").problem(409, "SESSION_BUSY");

		assertThat(busy.text("/holder")).isEqualTo("worker-7");
		assertThat(busy.at("/expireTime")).isEqualTo(first.at("/expireTime"));
		assertThat(Integer.parseInt(busy.header("Retry-After").orElseThrow())).isBetween(1, 60);
		this.api.append("s 1", ANSWER, "Lease", number(first)).ok();
		assertThat(this.api.release("s 1", number(first)).status()).isEqualTo(204);
		Answer second = this.api.acquire("s 1", "{'holder': 'worker-8'}").ok();
		assertThat(lease(second)).isGreaterThan(lease(first));
		assertThat(this.api.get("s 1").revision()).isEqualTo(2);
	}

	@Test
	void answersWhatWasGranted() {
		Answer answer = this.api.acquire("s 1", "{'holder': 'worker-7', 'ttl': 90.5, 'exclusive': true}").ok();

		assertThat(answer.json().propertyNames()).containsExactly("lease", "holder", "expireTime", "exclusive");
		assertThat(answer.text("/holder")).isEqualTo("worker-7");
		assertThat(answer.at("/exclusive").booleanValue()).isTrue();
		assertThat(lease(answer)).isLessThan(1L << 53);
		long now = Instant.now().getEpochSecond();
		assertThat(answer.at("/expireTime").decimalValue()).isBetween(BigDecimal.valueOf(now + 80),
				BigDecimal.valueOf(now + 100));
	}

	@Test
	void renewsWhoShowsItsNumber() {
		Answer first = this.api.acquire("s 1", "{'holder': 'worker-7', 'ttl': 5, 'exclusive': true}").ok();

		Answer renewed = this.api.acquire("s 1", "{'ttl': '60s'}", "Lease", number(first)).ok();

		assertThat(lease(renewed)).isEqualTo(lease(first));
		assertThat(renewed.text("/holder")).isEqualTo("worker-7");
		assertThat(renewed.at("/exclusive").booleanValue()).isTrue();
		assertThat(renewed.at("/expireTime").decimalValue()).isGreaterThan(first.at("/expireTime").decimalValue());
		this.api.http()
			.send("POST", this.api.sessionPath("s 1") + ":acquire", BodyPublishers.noBody(), "Lease", number(first))
			.ok();
	}

	@Test
	void givesItAgainToAHolderWhoseAnswerWasLost() {
		Answer lost = this.api.acquire("s 1", "{'holder': 'worker-7'}").ok();

		Answer again = this.api.acquire("s 1", "{'holder': 'worker-7'}").ok();

		assertThat(lease(again)).isGreaterThan(lease(lost));
		this.api.append("s 1", QUESTION, "Lease", number(lost)).problem(409, "LEASE_LOST");
		this.api.append("s 1", QUESTION, "Lease", number(again)).ok();
	}

	@Test
	void refusesEveryWriteOfALeaseThatIsGone() {
		String old = number(this.api.acquire("s 1", "{'holder': 'worker-7'}").ok());
		this.api.append("s 1", QUESTION, "Lease", old).ok();
		this.api.rewind("s 1", "i1", "Lease", old).ok();
		this.api.release("s 1", old);
		this.api.acquire("s 1", "{'holder': 'worker-8'}").ok();

		this.api.append("s 1", ANSWER, "Lease", old).problem(409, "LEASE_LOST");
		this.api.batch("s 1", ANSWER, "Lease", old).problem(409, "LEASE_LOST");
		this.api.update("s 1", "{'stateDelta': {'k': 3}}", "Lease", old).problem(409, "LEASE_LOST");
		this.api.update("s 1", "{'displayName': 'late'}", "Lease", old).problem(409, "LEASE_LOST");
		this.api.delete("s 1", "Lease", old).problem(409, "LEASE_LOST");
		this.api.rewind("s 1", "i1", "Lease", old).problem(409, "LEASE_LOST");
		this.api.rewind("s 1", "i1", "Lease", old, "If-Match", "\"0\"").problem(409, "LEASE_LOST");
		this.api.acquire("s 1", "{'holder': 'worker-7'}", "Lease", old).problem(409, "LEASE_LOST");
		this.api.append("s 1", ANSWER, "Lease", old, "If-Match", "\"0\"").problem(409, "LEASE_LOST");

		assertThat(this.api.get("s 1").etag()).startsWith("\"2.").matches("[^.]*\\.[^.]*\\.[^.]*");
		assertThat(this.api.append("s 1", QUESTION, "Lease", old).ok().header("Idempotent-Replayed")).hasValue("true");
		assertThat(this.api.batch("s 1", QUESTION, "Lease", old).ok().header("Idempotent-Replayed")).hasValue("true");
		assertThat(this.api.release("s 1", old).status()).isEqualTo(204);
		this.api.acquire("s 1", "{'holder': 'worker-9'}").problem(409, "SESSION_BUSY");
	}

	@Test
	void keepsOthersFromWritingOnlyIfItIsExclusive() {
		String lease = number(this.api.acquire("s 1", "{'holder': 'worker-7'}").ok());
		this.api.append("s 1", QUESTION).ok();
		this.api.acquire("s 1", "{'exclusive': true}", "Lease", lease).ok();

		Answer busy = this.api.append("s 1", ANSWER).problem(409, "SESSION_BUSY");
		assertThat(busy.text("/holder")).isEqualTo("worker-7");
		assertThat(busy.header("Retry-After")).isPresent();
		this.api.append("s 1", ANSWER, "If-Match", "\"1\"").problem(409, "SESSION_BUSY");
		this.api.batch("s 1", ANSWER).problem(409, "SESSION_BUSY");
		this.api.update("s 1", "{'stateDelta': {'k': 3}}").problem(409, "SESSION_BUSY");
		this.api.rewind("s 1", "i1").problem(409, "SESSION_BUSY");
		this.api.rewind("s 1", "i1", "If-Match", "\"0\"").problem(409, "SESSION_BUSY");
		assertThat(this.api.append("s 1", QUESTION).ok().header("Idempotent-Replayed")).hasValue("true");
		assertThat(this.api.get("s 1").at("/state/k").intValue()).isEqualTo(1);

		this.api.append("s 1", ANSWER, "Lease", lease).ok();
		this.api.release("s 1", lease);
		this.api.update("s 1", "{'stateDelta': {'k': 3}}").ok();
	}

	@Test
	void keepsNobodyFromNamingOrDeletingTheSession() {
		this.api.acquire("s 1", "{'holder': 'worker-7', 'exclusive': true}").ok();

		this.api.update("s 1", "{'displayName': 'A trip'}").ok();
		assertThat(this.api.delete("s 1").status()).isEqualTo(204);
	}

	@Test
	void mayDemandThatNothingHasChanged() {
		Answer read = this.api.get("s 1");
		this.api.append("s 1", QUESTION).ok();

		this.api.acquire("s 1", "{'holder': 'worker-7'}", "If-Match", read.etag()).problem(412, "STALE_SESSION");
		this.api.http()
			.post(this.api.sessionPath("s 1") + ":acquire?lastUpdateTime=" + read.at("/lastUpdateTime"),
					Json.of("{'holder': 'worker-7'}"))
			.problem(409, "STALE_SESSION");
		this.api.acquire("s 1", "{'holder': 'worker-8'}", "If-Match", "\"1\"").ok();
		this.api.acquire("s 1", "{'holder': 'worker-7'}", "If-Match", "\"0\"").problem(409, "SESSION_BUSY");
	}

	@Test
	void goesWithItsSessionAndItsNumberNeverComesBack() {
		String old = number(this.api.acquire("s 1", "{'holder': 'worker-7', 'exclusive': true}").ok());
		this.api.delete("s 1");
		this.api.append("s 1", QUESTION, "Lease", old).problem(404, "SESSION_NOT_FOUND");
		this.api.acquire("s 1", "{'holder': 'worker-7'}", "Lease", old).problem(404, "SESSION_NOT_FOUND");
		this.api.release("s 1", old).problem(404, "SESSION_NOT_FOUND");
		this.api.create("{'sessionId': 's 1'}").ok();

		this.api.append("s 1", QUESTION, "Lease", old).problem(409, "LEASE_LOST");
		Answer anew = this.api.acquire("s 1", "{'holder': 'worker-8'}").ok();
		assertThat(lease(anew)).isNotEqualTo(Long.parseLong(old));
		this.api.append("s 1", QUESTION, "Lease", old).problem(409, "LEASE_LOST");
	}

	@Test
	void leaseIsNotExported() {
		this.api.acquire("s 1", "{'holder': 'worker-7', 'exclusive': true}").ok();
		String export = this.api.http().get(this.api.userPath() + ":export").body();

		assertThat(export).contains("s 1").doesNotContain("worker-7");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "{'holder': 'a', 'ttl': '0.9s'} | 400 | INVALID_ARGUMENT | ttl must be between 1 and 3600",
					"{'holder': 'a', 'ttl': 3601} | 400 | INVALID_ARGUMENT | ttl must be between 1 and 3600",
					"{'holder': 'a', 'ttl': -1} | 400 | INVALID_ARGUMENT | ttl must be a number of seconds",
					"{'holder': 'a', 'ttl': 'PT1M'} | 400 | INVALID_ARGUMENT | ttl must be a number of seconds",
					"{'holder': ' '} | 400 | INVALID_ARGUMENT | holder must not be blank",
					"{'holder': 'a\\nb'} | 400 | INVALID_ARGUMENT | holder must not contain control characters",
					"{} | 422 | VALIDATION_FAILED | holder is required",
					"{'ttl': '60s'} | 422 | VALIDATION_FAILED | holder is required",
					"{'holder': 7} | 422 | VALIDATION_FAILED | holder must be a string",
					"{'holder': 'a', 'exclusive': 'yes'} | 422 | VALIDATION_FAILED | exclusive must be true or false",
					"{'holder': 'a', 'Ttl': 5} | 422 | VALIDATION_FAILED | did you mean ttl?",
					"{'holder': 'a', 'lease': 5} | 422 | VALIDATION_FAILED | but the header Lease" })
	void refusesWhatItCannotMean(String body, int status, String code, String text) {
		assertThat(this.api.acquire("s 1", body).problem(status, code).detail()).contains(text);
		this.api.acquire("s 1", "{'holder': 'b'}").ok();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "-1", "1.5", "1e3", "\"17\"", "17, 18", "017", "9999999999999999999" })
	void refusesAHeaderThatIsNoNumber(String header) {
		assertThat(this.api.append("s 1", QUESTION, "Lease", header).problem(400, "INVALID_ARGUMENT").detail())
			.startsWith("Lease must be the number of a lease");
		this.api.acquire("s 1", "{'holder': 'a'}", "Lease", header).problem(400, "INVALID_ARGUMENT");
		this.api.release("s 1", header).problem(400, "INVALID_ARGUMENT");
		assertThat(this.api.get("s 1").revision()).isZero();
	}

	@Test
	void needsTheNumberOfWhatIsReleased() {
		assertThat(this.api.http()
			.send("POST", this.api.sessionPath("s 1") + ":release", BodyPublishers.noBody())
			.problem(400, "INVALID_ARGUMENT")
			.detail()).contains("'Lease'");
	}

	@Test
	void leaseOfMissingSessionReturns404() {
		this.api.acquire("missing", "{'holder': 'a'}").problem(404, "SESSION_NOT_FOUND");
		this.api.as("bob").acquire("s 1", "{'holder': 'a'}").problem(404, "SESSION_NOT_FOUND");
		this.api.release("missing", "17").problem(404, "SESSION_NOT_FOUND");
	}

	private static long lease(Answer answer) {
		return answer.at("/lease").longValue();
	}

	private static String number(Answer answer) {
		return answer.at("/lease").toString();
	}

}
