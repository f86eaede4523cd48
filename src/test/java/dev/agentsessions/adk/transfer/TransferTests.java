package dev.agentsessions.adk.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.adk.Api;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.support.ReadsLog;

/** Exports come back as they were. */
@HttpTest
class TransferTests {

	private static final String EVENT = "{'id':'e%1$d','author':'user','invocationId':'i','timestamp':%1$d.5,"
			+ "'actions':{'stateDelta':{'n':%1$d,'user:n':%1$d}}}";

	private final Api api;

	TransferTests(Http http) {
		this.api = new Api(http);
	}

	@Test
	void aUserComesBackByteForByte() {
		fill(this.api);

		String export = export(this.api.userPath());
		this.api.http().delete(this.api.userPath()).ok();
		Answer imported = importInto(this.api.userPath(), export);

		assertThat(imported.json()).isEqualTo(Json.read("""
				{"created":3,"unchanged":0,"conflicts":0,"refused":0,"events":3,
				 "state":{"created":2,"unchanged":0,"conflicts":0},
				 "artifacts":{"created":0,"unchanged":0,"conflicts":0,"refused":0},
				 "complete":true,"problems":[],"problemsOmitted":0}"""));
		assertThat(withoutTime(export(this.api.userPath()))).isEqualTo(withoutTime(export));
		assertThat(this.api.get("s1").ok().at("/state"))
			.isEqualTo(Json.read("{\"a\":null,\"n\":2,\"app:c\":3," + "\"user:b\":\"\\ud83d\\ude00\",\"user:n\":2}"));
	}

	@Test
	void anAppComesBackByteForByte() {
		fill(this.api);
		fill(this.api.as("users/bob"));

		String export = export(this.api.appPath());
		this.api.http().delete(this.api.userPath()).ok();
		this.api.http().delete(this.api.as("users/bob").userPath()).ok();
		importInto(this.api.appPath(), export);

		assertThat(withoutTime(export(this.api.appPath()))).isEqualTo(withoutTime(export));
	}

	/** Large texts are written in pieces, which may end within such a character. */
	@ParameterizedTest
	@ValueSource(strings = { "", "x" })
	void largeTextsOfCharactersWithTwoUnitsComeBack(String begin) {
		String text = begin + "\ud83d\ude00".repeat(50_000);
		this.api.create("{'sessionId':'s','state':{'a':'%1$s'},'events':[{'id':'e','author':'%1$s'}]}".formatted(text))
			.ok();
		String export = export(this.api.userPath());
		assertThat(lineOf("state", export) + lineOf("event", export)).contains("\"a\":\"" + text + "\"",
				"\"author\":\"" + text + "\"");
	}

	@Test
	void anAppMayGetAnotherName() {
		fill(this.api);
		fill(this.api.as("users/bob"));
		Api other = new Api(this.api.http());

		String export = export(this.api.appPath());
		importInto(other.appPath(), export);

		assertThat(withoutTime(export(other.appPath())).replace(other.app(), this.api.app()).lines())
			.containsExactlyInAnyOrderElementsOf(withoutTime(export).lines().toList());
		assertThat(other.as("users/bob").get("s1").ok().at("/lastUpdateTime"))
			.isEqualTo(this.api.as("users/bob").get("s1").ok().at("/lastUpdateTime"));
	}

	/** ADK's stamps fit only the names with which they were made. */
	@Test
	void onlyUnderAnotherNameEventsLoseTheStampsOfAdk() {
		this.api.create("{'sessionId':'s','events':[{'id':'e','customMetadata':{'__adk_internal_fc_hmac':{},'a':1}}]}")
			.ok();
		String ofUser = export(this.api.userPath());
		String ofApp = export(this.api.appPath());
		Api bob = this.api.as("bob");
		importInto(bob.userPath(), ofUser);
		Api other = new Api(this.api.http());
		importInto(other.appPath(), ofApp);
		assertThat(List.of(bob, other)).extracting((copy) -> copy.get("s").ok().at("/events/0/customMetadata"))
			.containsOnly(Json.node("{'a':1,'__adk_internal_restored_event':true}"));
		this.api.delete("s");
		importInto(this.api.userPath(), ofUser);
		assertThat(withoutTime(export(this.api.userPath()))).isEqualTo(withoutTime(ofUser));
		this.api.delete("s");
		importInto(this.api.appPath(), ofApp);
		assertThat(export(this.api.userPath())).contains("{\"__adk_internal_fc_hmac\":{},\"a\":1}");
	}

	@Test
	void forksAndSessionsWithoutInitialStateComeBackByteForByte() {
		fill(this.api);
		this.api.http().post(this.api.sessionPath("s1") + ":fork", Json.of("{'atSeq':1,'sessionId':'s4'}"));
		String before = export(this.api.userPath());
		this.api.http().delete(this.api.userPath()).ok();
		importInto(this.api.userPath(), before.replaceFirst("\\{\"kind\":\"initialState\".*\\R", ""));

		assertThat(before).contains("\"forkedFrom\":{\"sessionId\":\"s1\",\"seq\":1}", "\"initialState\",");
		assertThat(withoutTime(export(this.api.userPath()))).isEqualTo(withoutTime(before));
		assertThat(this.api.get("s4", "atSeq=0").ok().at("/state")).isEqualTo(Json.node("{'a':null}"));
	}

	/** An export need not tell the initial state: it is what no event has set. */
	@Test
	void importWithoutInitialStateTakesKeysThatNoEventHasSet() {
		fill(this.api);
		String before = export(this.api.userPath());
		String without = before.replaceAll("\\{\"kind\":\"initialState\".*\\R", "");
		this.api.http().delete(this.api.userPath()).ok();
		importInto(this.api.userPath(), without);
		assertThat(without).isNotEqualTo(before);
		assertThat(withoutTime(export(this.api.userPath()))).isEqualTo(withoutTime(before));
	}

	@Test
	void saysAllThereIsInTheOrderInWhichItIsRead() {
		fill(this.api);

		assertThat(lines(export(this.api.appPath()))).extracting((line) -> line.path("kind").stringValue())
			.containsExactly("export", "appState", "user", "userState", "session", "initialState", "state", "event",
					"event", "sessionEnd", "session", "event", "sessionEnd", "session", "sessionEnd", "end");
		assertThat(lines(export(this.api.as("nobody").userPath())))
			.extracting((line) -> line.path("kind").stringValue())
			.containsExactly("export", "user", "end");
	}

	@Test
	void secondImportChangesNothing() {
		fill(this.api);
		Answer again = importInto(this.api.appPath(), export(this.api.appPath()));

		assertThat(again.at("/unchanged").intValue()).isEqualTo(3);
		assertThat(again.at("/created").intValue()).isZero();
		assertThat(again.at("/state")).isEqualTo(Json.read("{\"created\":0,\"unchanged\":3,\"conflicts\":0}"));
	}

	@Test
	void importIgnoresChangedDetailsOfStoredSession() {
		fill(this.api);
		String export = export(this.api.userPath());
		this.api.update("s1", "{'labels':{'x':'y'}}").ok();
		Answer again = importInto(this.api.userPath(), export);
		assertThat(again.at("/unchanged").intValue()).isEqualTo(3);
		assertThat(this.api.get("s1").at("/labels")).isEqualTo(Json.node("{'x':'y'}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "append", "other", "delete" })
	void doesNotTouchWhatIsThereWithOtherContent(String change) {
		fill(this.api);
		String export = export(this.api.userPath());
		switch (change) {
			case "append" -> this.api.append("s1", "{'author':'user'}").ok();
			case "other" -> {
				this.api.delete("s1");
				importInto(this.api.userPath(), export.replace("\"id\":\"e2\"", "\"id\":\"other\""));
			}
			default -> {
				this.api.delete("s1");
				this.api.create("{'sessionId':'s1'}").ok();
			}
		}
		JsonNode before = this.api.get("s1").json();

		Answer imported = importInto(this.api.userPath(), export);

		assertThat(imported.at("/conflicts").intValue()).isOne();
		assertThat(imported.at("/unchanged").intValue()).isEqualTo(2);
		assertThat(imported.text("/problems/0/code")).isEqualTo("ALREADY_EXISTS");
		assertThat(imported.text("/problems/0/sessionId")).isEqualTo("s1");
		assertThat(this.api.get("s1").json()).isEqualTo(before);
	}

	@Test
	void importKeepsStoredSharedState() {
		fill(this.api);
		String export = export(this.api.appPath());
		this.api.http().patch(this.api.userPath() + "/state", "{\"b\":1}").ok();

		Answer imported = importInto(this.api.appPath(), export);

		assertThat(imported.at("/state")).isEqualTo(Json.read("{\"created\":0,\"unchanged\":2,\"conflicts\":1}"));
		assertThat(imported.text("/problems/0/userId")).isEqualTo("alice");
		assertThat(this.api.http().get(this.api.userPath() + "/state").at("/b").intValue()).isOne();
	}

	@Test
	void exportLeavesOutExpiredSessions() {
		this.api.create("{'sessionId':'gone','ttl':'2s'}").ok();
		this.api.create("{'sessionId':'stays','ttl':'1000s'}").ok();
		String early = export(this.api.userPath());
		Awaitility.await().until(() -> this.api.get("gone").status() == 404);

		assertThat(export(this.api.userPath())).contains("stays").doesNotContain("gone");
		Answer imported = importInto(this.api.userPath(), early);
		assertThat(imported.at("/refused").intValue()).isOne();
		assertThat(imported.text("/problems/0/detail")).contains("expired");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			"seq":2                      | "seq":3                        | INVALID_ARGUMENT
			"seq":2                      | "seq":"2"                      | VALIDATION_FAILED
			"id":"e2"                    | "id":"e1"                      | INVALID_ARGUMENT
			"id":"e2"                    | "id":"e/2"                     | INVALID_ARGUMENT
			"id":"e2",                   | ``                             | VALIDATION_FAILED
			"author":"user"              | "author":7                     | VALIDATION_FAILED
			"author":"user"              | "author":"user","partial":true | INVALID_ARGUMENT
			"revision":2                 | "revision":3                   | INVALID_ARGUMENT
			"revision":2                 | "revision":-1                  | VALIDATION_FAILED
			"createTime":"               | "createTime":"9999             | INVALID_ARGUMENT
			"createTime":"               | "crateTime":"                  | VALIDATION_FAILED
			"sessionId":"s1"             | "sessionId":"s/1"              | INVALID_ARGUMENT
			"a":null                     | "user:a":null                  | INVALID_ARGUMENT
			"a":null                     | "a":"__ADK_SENTINEL_REMOVED__" | INVALID_ARGUMENT
			"kind":"state"               | "kind":"sate"                  | VALIDATION_FAILED
			"kind":"initialState"        | "kind":"initialSate"           | VALIDATION_FAILED
			"kind":"session","sessionId":"s1" | "kind":"session","sessionId":"s1 | INVALID_ARGUMENT
			""")
	void refusesASessionThatBreaksARuleAndTakesTheOthers(String sound, String broken, String code) {
		fill(this.api);
		Api other = new Api(this.api.http());
		String export = export(this.api.userPath());
		assertThat(export).contains(sound);

		Answer imported = importInto(other.userPath(), replaceFirst(export, sound, broken));

		assertThat(imported.at("/refused").intValue()).as(imported.body()).isOne();
		assertThat(imported.at("/created").intValue()).isEqualTo(2);
		assertThat(imported.text("/problems/0/code")).as(imported.body()).isEqualTo(code);
		assertThat(imported.at("/problems/0/line").longValue()).isBetween(4L, 9L);
		assertThat(other.get("s1").status()).isEqualTo(404);
		assertThat(other.get("s2").status()).isEqualTo(200);
	}

	@Test
	void refusesASessionWhoseInitialStateComesTwiceAndTakesTheOthers() {
		fill(this.api);
		String export = export(this.api.userPath());
		Api other = new Api(this.api.http());
		String line = lineOf("initialState", export);

		Answer imported = importInto(other.userPath(), export.replace(line, line + line));

		assertThat(imported.at("/refused").intValue()).as(imported.body()).isOne();
		assertThat(imported.text("/problems/0/code")).isEqualTo("INVALID_ARGUMENT");
		assertThat(imported.at("/created").intValue()).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource({ "state, initialState", "event, initialState", "event, state" })
	void refusesASessionWhoseLinesHaveAnotherOrderAndTakesTheOthers(String second, String first) {
		fill(this.api);
		String export = export(this.api.userPath());
		Api other = new Api(this.api.http());
		String line = lineOf(first, export);

		Answer imported = importInto(other.userPath(),
				export.replace(line, "").replace(lineOf(second, export), lineOf(second, export) + line));

		assertThat(imported.at("/refused").intValue()).as(imported.body()).isOne();
		assertThat(imported.text("/problems/0/code")).isEqualTo("INVALID_ARGUMENT");
		assertThat(imported.at("/created").intValue()).isEqualTo(2);
	}

	/** Returns the first line of a kind, with its line end. */
	private static String lineOf(String kind, String export) {
		return export.lines().filter((text) -> text.contains("\"kind\":\"" + kind + "\"")).findFirst().orElseThrow()
				+ "\n";
	}

	private static String replaceFirst(String text, String old, String replacement) {
		int place = text.lastIndexOf(old, text.indexOf("sessionEnd"));
		return text.substring(0, place) + replacement + text.substring(place + old.length());
	}

	@Test
	void takesOnlyWholeSessionsOfAFileThatWasCut() {
		fill(this.api);
		String export = export(this.api.userPath());
		Api other = new Api(this.api.http());

		Answer imported = importInto(other.userPath(), export.substring(0, export.indexOf("\"seq\":2")));

		assertThat(imported.at("/complete").booleanValue()).isFalse();
		assertThat(imported.at("/refused").intValue()).isEqualTo(1);
		assertThat(imported.at("/created").intValue()).isZero();
		assertThat(other.list("").json()).isEmpty();
		importInto(other.userPath(), export);
		assertThat(other.list("").json()).hasSize(3);
	}

	@Test
	void takesLinesThatSomebodyElseHasWritten() {
		String body = """
				{"kind": "export", "version": 1, "userId": "someone"}

				{"kind": "user", "userId": "someone"}
				{"kind": "session", "sessionId": "s1", "revision": 1, "createTime": "2026-01-01T00:00:00+01:00",\
				 "lastUpdateTime": "2026-01-01T00:00:01Z", "labels": {}, "future": true}
				{"kind": "event", "seq": 1, "commitTime": "2026-01-01T00:00:01Z",\
				 "event": {"id": "e1", "invocation_id": "i", "author": "a", "timestamp": "2026-01-01T00:00:00Z"}}
				{"kind": "sessionEnd"}
				{"kind": "end"}""";

		Answer imported = importInto(this.api.userPath(), body);

		assertThat(imported.at("/created").intValue()).as(imported.body()).isOne();
		Answer read = this.api.get("s1").ok();
		assertThat(read.at("/lastUpdateTime").decimalValue()).isEqualByComparingTo("1767225601");
		assertThat(read.text("/events/0/invocationId")).isEqualTo("i");
		assertThat(read.text("/userId")).isEqualTo("alice");
		assertThat(importInto(this.api.userPath(), body).at("/unchanged").intValue()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'kind':'user','userId':'b'", "{'kind':'usr','userId':'b'}", "{'userId':'b'}" })
	void givesNobodyWhatFollowsALineThatMayHaveBegunAUser(String line) {
		String body = """
				{'kind':'export','version':1}
				{'kind':'user','userId':'a'}
				%s
				{'kind':'userState','state':{'secret':1}}
				{'kind':'session','sessionId':'s1','revision':0,'createTime':'2026-01-01T00:00:00Z','lastUpdateTime':'2026-01-01T00:00:00Z'}
				{'kind':'sessionEnd'}
				{'kind':'user','userId':'c'}
				{'kind':'session','sessionId':'s2','revision':0,'createTime':'2026-01-01T00:00:00Z','lastUpdateTime':'2026-01-01T00:00:00Z'}
				{'kind':'sessionEnd'}
				{'kind':'end','sessions':3}
				"""
			.formatted(line)
			.replace('\'', '"');

		Answer imported = importInto(this.api.appPath(), body);

		assertThat(imported.at("/created").intValue()).as(imported.body()).isOne();
		assertThat(imported.at("/refused").intValue()).as(imported.body()).isEqualTo(3);
		assertThat(imported.at("/complete").booleanValue()).isFalse();
		assertThat(this.api.http().get(this.api.appPath() + "/users/a/sessions").json()).isEmpty();
		assertThat(this.api.http().get(this.api.appPath() + "/users/a/state").json()).isEmpty();
		assertThat(this.api.http().get(this.api.appPath() + "/users/c/sessions").json()).hasSize(1);
	}

	@Test
	void storesWithALineEndInside() {
		this.api.http().post(this.api.sessionsPath(), "{\"sessionId\":\"s1\",\"state\":{\"a\":[1,\r\n2]}}").ok();
		Api other = new Api(this.api.http());

		importInto(other.userPath(), export(this.api.userPath()));

		assertThat(other.get("s1").ok().at("/state/a")).isEqualTo(Json.read("[1,2]"));
		assertThat(importInto(this.api.userPath(), export(this.api.userPath())).at("/unchanged").intValue()).isOne();
	}

	@Test
	void findsNoConflictWhereTwoSendTheSameAtOnce() {
		fill(this.api);
		String export = export(this.api.userPath());
		for (int round = 0; round < 5; round++) {
			Api other = new Api(this.api.http());
			List<Answer> answers = Stream.generate(() -> export)
				.limit(4)
				.map((lines) -> CompletableFuture.supplyAsync(() -> importInto(other.userPath(), lines)))
				.toList()
				.stream()
				.map(CompletableFuture::join)
				.toList();
			assertThat(answers).allSatisfy((answer) -> assertThat(answer.at("/problems")).isEmpty());
			assertThat(answers.stream().mapToInt((answer) -> answer.at("/created").intValue()).sum()).isEqualTo(3);
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	@ReadsLog
	void forgetsASessionWhoseSenderHangsUp(CapturedOutput log) throws IOException {
		fill(this.api);
		String export = export(this.api.userPath());
		Api other = new Api(this.api.http());
		try (Socket socket = new Socket("localhost", this.api.http().port())) {
			String head = "POST " + other.userPath() + ":import HTTP/1.1\r\nHost: localhost\r\n"
					+ "Content-Type: application/x-ndjson\r\nContent-Length: 1000000\r\n\r\n";
			String part = export.substring(0, export.lastIndexOf("sessionEnd"));
			socket.getOutputStream().write((head + part).getBytes(StandardCharsets.UTF_8));
		}

		Awaitility.await().until(() -> log.getOut().contains(other.userPath() + ":import 400"));

		assertThat(log).doesNotContain("Answered 500");
		assertThat(other.list("").json()).hasSize(2);
	}

	@Test
	void refusesWhatIsNoExport() {
		importLines(this.api.userPath(), "").problem(422, "VALIDATION_FAILED");
		importLines(this.api.userPath(), "{\"kind\":\"user\",\"userId\":\"a\"}").problem(422, "VALIDATION_FAILED");
		importLines(this.api.userPath(), "{\"kind\":\"export\",\"version\":2}").problem(422, "VALIDATION_FAILED");
		importLines(this.api.userPath(), "[1]").problem(422, "VALIDATION_FAILED");
		importLines(this.api.userPath(), "no").problem(400, "INVALID_ARGUMENT");
		this.api.http().post(this.api.userPath() + ":import", "{}").problem(415, "UNSUPPORTED_MEDIA_TYPE");
	}

	@Test
	void refusesAnAppWhereAUserIsMeant() {
		fill(this.api);
		importLines(this.api.userPath(), export(this.api.appPath())).problem(400, "INVALID_ARGUMENT");
		String twoUsers = export(this.api.userPath()).replace("{\"kind\":\"user\",\"userId\":\"alice\"}",
				"{\"kind\":\"user\",\"userId\":\"bob\"}");
		assertThat(importInto(new Api(this.api.http()).userPath(), twoUsers).at("/created").intValue()).isZero();
	}

	@Test
	void writesEachObjectOnOneLineForReadersThatKnowMoreLineEnds() {
		String odd = "a\u2028b\u2029c\u0085d";
		this.api.create("{'sessionId':'s','state':{'%1$s':'%1$s','user:%1$s':1},'displayName':'%1$s'}".formatted(odd))
			.ok();
		this.api.append("s", "{'id':'e1','author':'%1$s','%1$s':1}".formatted(odd)).ok();
		String export = export(this.api.userPath());
		assertThat(export.split("\\R")).hasSize(export.split("\n").length).allSatisfy(Json::read);
		Api target = new Api(this.api.http());
		importInto(target.userPath(), export);
		assertThat(target.get("s").at("/state")).isEqualTo(this.api.get("s").at("/state"));
		assertThat(target.get("s").at("/events")).isEqualTo(this.api.get("s").at("/events"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/x-ndjson", "application/ndjson", "application/jsonl", "application/jsonlines",
			"application/X-JSONLines; charset=UTF-8" })
	void takesEveryNameOfTheTypeAndAByteOrderMark(String type) {
		fill(this.api);
		String export = "\uFEFF" + export(this.api.userPath());
		Api target = new Api(this.api.http());
		Answer answer = target.http()
			.send("POST", target.userPath() + ":import", BodyPublishers.ofString(export), "Content-Type", type);
		assertThat(answer.ok().at("/created").intValue()).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json", "text/plain", "application/x-www-form-urlencoded", "nonsense" })
	void namesTheTypeThatAnImportMustHave(String type) {
		Answer answer = this.api.http()
			.send("POST", this.api.userPath() + ":import", BodyPublishers.ofString("{}"), "Content-Type", type);
		assertThat(answer.problem(415, "UNSUPPORTED_MEDIA_TYPE").detail()).contains("application/x-ndjson");
	}

	private static void fill(Api api) {
		api.create("{'sessionId':'s2','displayName':'Two','labels':{'z':'1','b':'2'},'ttl':'1000s','events':["
				+ "{'id':'e1','author':'agent','timestamp':1.25,'content':{'parts':[{'text':'hi'}]},'x':{'y':[]}}]}")
			.ok();
		api.create("{'sessionId':'s3'}").ok();
		api.create("{'sessionId':'s1','state':{'a':null,'user:b':'\\ud83d\\ude00','app:c':3}}").ok();
		api.append("s1", EVENT.formatted(1)).ok();
		api.append("s1", EVENT.formatted(2)).ok();
		api.update("s3", "{'displayName':'Three'}").ok();
	}

	private String export(String path) {
		Answer answer = this.api.http().get(path + ":export");
		assertThat(answer.status()).as(answer.body()).isEqualTo(200);
		assertThat(answer.header("Content-Type").orElseThrow()).isEqualTo("application/x-ndjson;charset=UTF-8");
		return answer.body();
	}

	private Answer importInto(String path, String lines) {
		return importLines(path, lines).ok();
	}

	private Answer importLines(String path, String lines) {
		return this.api.http()
			.send("POST", path + ":import", BodyPublishers.ofString(lines), "Content-Type", "application/x-ndjson");
	}

	private static List<JsonNode> lines(String export) {
		return export.lines().map(Json::read).toList();
	}

	private static String withoutTime(String export) {
		return export.replaceFirst("\"exportTime\":\"[^\"]+\"", "");
	}

}
