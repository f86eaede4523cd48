package dev.agentsessions.vertex.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;
import dev.agentsessions.vertex.VertexApi;

/** Memories over the Vertex AI API. */
@HttpTest
class MemoryBankTests {

	private final Http http;

	private final JdbcTemplate jdbc;

	private final MemoryBank bank;

	MemoryBankTests(Http http, JdbcTemplate jdbc) {
		this.http = http;
		this.jdbc = jdbc;
		this.bank = new MemoryBank(http);
	}

	@Test
	void createsAMemoryAsAnOperationThatIsDone() {
		Answer created = this.bank.create("m1", """
				'fact': 'likes tea', 'displayName': 'Tea', 'description': 'A drink', 'ttl': '3600s',
				'metadata': {'a_b': {'stringValue': 'red'}, 'n': {'doubleValue': 1.50}, 'f': {'boolValue': true},
				  't': {'timestampValue': '2026-01-02T03:04:05Z'}},
				'topics': [{'customMemoryTopicLabel': 'drinks'}, {'managedMemoryTopic': 'USER_PREFERENCES'}]""").ok();
		assertThat(created.at("/done").booleanValue()).isTrue();
		assertThat(created.text("/response/@type"))
			.isEqualTo("type.googleapis.com/google.cloud.aiplatform.v1beta1.Memory");
		JsonNode memory = this.bank.get("m1").ok().json();
		assertThat(memory.propertyNames()).containsExactly("name", "scope", "fact", "displayName", "description",
				"metadata", "topics", "createTime", "updateTime", "expireTime");
		assertThat(memory.at("/name").stringValue()).isEqualTo(this.bank.name("m1"));
		assertThat(memory.at("/scope")).isEqualTo(Json.read(this.bank.scope("alice")));
		assertThat(memory.at("/metadata")).isEqualTo(Json.node("""
				{'a_b': {'stringValue': 'red'}, 'n': {'doubleValue': 1.50}, 'f': {'boolValue': true},
				 't': {'timestampValue': '2026-01-02T03:04:05Z'}}"""));
		assertThat(memory.at("/topics").toString())
			.isEqualTo("[{\"customMemoryTopicLabel\":\"drinks\"},{\"managedMemoryTopic\":\"USER_PREFERENCES\"}]");
		memory.propertyNames()
			.forEach((name) -> assertThat(created.at("/response/" + name)).isEqualTo(memory.path(name)));
		Answer operation = this.http.get("/v1beta1/" + created.text("/name")).ok();
		assertThat(operation.at("/done").booleanValue()).isTrue();
	}

	@Test
	void readsEveryFieldInSnakeCaseToo() {
		this.bank.create("m1", """
				'fact': 'likes tea', 'display_name': 'Tea', 'expire_time': {'seconds': '4102444800', 'nanos': 0},
				'metadata': {'a_b': {'string_value': 'red'}, 'aB': {'bool_value': false}},
				'topics': [{'custom_memory_topic_label': 'drinks'}]""").ok();
		JsonNode memory = this.bank.get("m1").ok().json();
		assertThat(memory.at("/displayName").stringValue()).isEqualTo("Tea");
		assertThat(memory.at("/expireTime").stringValue()).isEqualTo("2100-01-01T00:00:00Z");
		assertThat(memory.at("/metadata"))
			.isEqualTo(Json.node("{'a_b': {'stringValue': 'red'}, 'aB': {'boolValue': false}}"));
		assertThat(memory.at("/topics/0/customMemoryTopicLabel").stringValue()).isEqualTo("drinks");
		assertThat(MemoryBank
			.facts(this.bank.act("retrieve", "'similarity_search_params': {'search_query': 'tea?', 'top_k': 5}")))
			.containsExactly("likes tea");
		this.bank.act("generate", "'direct_memories_source': {'direct_memories': [{'fact': 'likes cake'}]}").ok();
		this.bank.act("generate", """
				'direct_contents_source': {'events': [{'content': {'parts': [{'text': 'owns a dog'}]},
				  'event_id': 'e1', 'event_time': '1970-01-01T00:00:01.500000+00:00'}]}""").ok();
		assertThat(MemoryBank.facts(this.bank.act("retrieve", "'simple_retrieval_params': {'page_size': 2}")))
			.containsExactly("owns a dog", "likes cake");
	}

	@Test
	void isTheFactOfTheOtherDialect() {
		this.bank.create("m1", "'fact': 'likes tea', 'metadata': {'colour': {'stringValue': 'red'}}").ok();
		Answer fact = this.http.get(this.bank.userPath("alice") + "/memories/m1").ok();
		assertThat(fact.text("/text")).isEqualTo("likes tea");
		assertThat(fact.at("/metadata")).isEqualTo(Json.node("{'colour': 'red'}"));
		this.http.post(this.bank.userPath("alice") + "/memories", Json.of("""
				{'id': 'm2', 'content': {'parts': [{'text': 'one'}, {'text': 'two'}]},
				 'metadata': {'s': 'x', 'n': 2, 'f': false, 'l': [1], 'o': {'k': 1}, 'z': null}}"""));
		JsonNode memory = this.bank.get("m2").ok().json();
		assertThat(memory.at("/fact").stringValue()).isEqualTo("one\ntwo");
		assertThat(memory.at("/metadata")).isEqualTo(Json.node("""
				{'s': {'stringValue': 'x'}, 'n': {'doubleValue': 2}, 'f': {'boolValue': false},
				 'l': {'stringValue': '[1]'}, 'o': {'stringValue': '{\\"k\\": 1}'}}"""));
	}

	@Test
	void keepsAnIdUniqueInTheEngine() {
		this.bank.create("m1", "'fact': 'likes tea'").ok();
		this.bank.create("m1", "'fact': 'likes tea'").ok();
		VertexApi.error(this.bank.create("m1", "'fact': 'likes coffee'"), 409, "ALREADY_EXISTS");
		VertexApi.error(this.bank.createIn(this.bank.scope("bob"), "m1", "'fact': 'likes tea'"), 409, "ALREADY_EXISTS");
		this.http.post(this.bank.userPath("bob") + "/memories", Json.of("{'id': 'm1', 'text': 'likes tea'}"));
		VertexApi.error(this.bank.get("m1"), 400, "FAILED_PRECONDITION");
		VertexApi.error(this.bank.get("none"), 404, "NOT_FOUND");
	}

	@Test
	void changesWhatTheMaskNames() {
		this.bank.create("m1", "'fact': 'likes tea', 'displayName': 'Tea', 'ttl': '3600s'").ok();
		Answer changed = this.bank.patch("m1", "fact,display_name", "{'fact': 'likes coffee', 'ttl': '1s'}").ok();
		assertThat(changed.text("/response/fact")).isEqualTo("likes coffee");
		assertThat(changed.at("/response/displayName").isMissingNode()).isTrue();
		assertThat(changed.at("/response/expireTime").isMissingNode()).isFalse();
		Answer never = this.bank.patch("m1", "ttl", "{}").ok();
		assertThat(never.at("/response/expireTime").isMissingNode()).isTrue();
		assertThat(this.bank.patch("m1", "", "{'description': 'A drink'}").ok().text("/response/description"))
			.isEqualTo("A drink");
		assertThat(this.bank.found("coffee?")).containsExactly("likes coffee");
		VertexApi.error(this.bank.patch("m1", "", "{'scope': {'user_id': 'x'}}"), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.bank.patch("m1", "name", "{}"), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.bank.patch("m1", "fact", "{}"), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.bank.patch("none", "", "{'fact': 'x'}"), 404, "NOT_FOUND");
	}

	@Test
	void deletesAMemory() {
		this.bank.create("m1", "'fact': 'likes tea'").ok();
		Answer deleted = this.bank.delete("m1").ok();
		assertThat(deleted.at("/response/@type").stringValue()).endsWith("Empty");
		VertexApi.error(this.bank.get("m1"), 404, "NOT_FOUND");
		VertexApi.error(this.bank.delete("m1"), 404, "NOT_FOUND");
	}

	@Test
	void listsTheMemoriesOfAScopeAndOfTheEngine() {
		this.bank.create("m1", "'fact': 'one'").ok();
		this.bank.create("m3", "'fact': 'three'").ok();
		this.bank.createIn("{\"user_id\":\"alice\"}", "m2", "'fact': 'two'").ok();
		assertThat(names(this.bank.list("").ok())).containsExactly("m1", "m2", "m3");
		Answer first = this.bank.list("?pageSize=2").ok();
		assertThat(names(first)).containsExactly("m1", "m2");
		assertThat(first.at("/memories/1/scope")).isEqualTo(Json.node("{'user_id': 'alice'}"));
		assertThat(names(this.bank.list("?pageToken=" + first.text("/nextPageToken")).ok())).containsExactly("m3");
		assertThat(names(this.bank.list(filter("{\\\"user_id\\\": \\\"alice\\\"}")).ok())).containsExactly("m2");
		String ofAlice = filter(this.bank.scope("alice").replace("\"", "\\\""));
		assertThat(names(this.bank.list(ofAlice).ok())).containsExactly("m3", "m1");
		Answer newest = this.bank.list(ofAlice + "&pageSize=1").ok();
		assertThat(names(this.bank.list(ofAlice + "&pageToken=" + newest.text("/nextPageToken")).ok()))
			.containsExactly("m1");
		VertexApi.error(this.bank.list("?pageToken=" + newest.text("/nextPageToken")), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.bank.list("?filter=fact=%22x%22"), 501, "UNIMPLEMENTED");
		VertexApi.error(this.bank.list("?orderBy=create_time"), 501, "UNIMPLEMENTED");
	}

	@Test
	void keepsScopesApart() {
		List<String> scopes = List.of(this.bank.scope("alice"), "{\"user_id\":\"alice\"}",
				"{\"user_id\":\"alice\",\"app_name\":\"other\"}", "{\"userId\":\"alice\"}",
				"{\"a\":\"user_id\",\"b\":\"alice\"}");
		scopes.forEach((scope) -> this.bank.createIn(scope, "", "'fact': 'tea %s'".formatted(scopes.indexOf(scope))));
		for (int number = 0; number < scopes.size(); number++) {
			for (String how : new String[] { "", "'similaritySearchParams': {'searchQuery': 'which tea?'}" }) {
				Answer found = this.bank.actIn(scopes.get(number), "retrieve", how);
				assertThat(MemoryBank.facts(found)).containsExactly("tea " + number);
				assertThat(found.at("/retrievedMemories/0/memory/scope")).isEqualTo(Json.read(scopes.get(number)));
			}
		}
		VertexApi.error(this.bank.actIn("{}", "retrieve", ""), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.bank.actIn("{\"a\":\"*\"}", "retrieve", ""), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.bank.actIn("{\"a\":1}", "retrieve", ""), 400, "INVALID_ARGUMENT");
	}

	@Test
	void findsWhatTheSessionsOfTheUserSay() {
		say("alice", "s1", "We stay in Kyoto in May");
		this.bank.create("m1", "'fact': 'prefers to stay in small hotels'").ok();
		Answer found = this.bank.act("retrieve", "'similaritySearchParams': {'searchQuery': 'where do we stay?'}");
		assertThat(MemoryBank.facts(found)).containsExactlyInAnyOrder("We stay in Kyoto in May",
				"prefers to stay in small hotels");
		assertThat(found.at("/retrievedMemories"))
			.allSatisfy((one) -> assertThat(one.at("/distance").doubleValue()).isBetween(0.0, 1.0));
		String event = found.at("/retrievedMemories")
			.valueStream()
			.map((one) -> one.at("/memory/name").stringValue())
			.filter((name) -> name.contains("/memories/event-"))
			.findFirst()
			.orElseThrow();
		this.http.delete("/v1beta1/" + event).ok();
		assertThat(this.bank.found("where do we stay?")).containsExactly("prefers to stay in small hotels");
		assertThat(this.bank.api().get("s1").ok().status()).isEqualTo(200);
	}

	@Test
	void retrievesThreeMemoriesUnlessItIsAskedForMore() {
		IntStream.range(0, 5)
			.forEach((number) -> this.bank.create("", "'fact': 'likes tea number %d'".formatted(number)).ok());
		assertThat(this.bank.found("tea?")).hasSize(3);
		assertThat(MemoryBank
			.facts(this.bank.act("retrieve", "'similaritySearchParams': {'searchQuery': 'tea?', 'topK': 200}")))
			.hasSize(5);
		Answer first = this.bank.act("retrieve", "");
		assertThat(MemoryBank.facts(first)).containsExactly("likes tea number 4", "likes tea number 3",
				"likes tea number 2");
		assertThat(MemoryBank.facts(this.bank.act("retrieve",
				"'simpleRetrievalParams': {'pageSize': 9, 'pageToken': '" + first.text("/nextPageToken") + "'}")))
			.containsExactly("likes tea number 1", "likes tea number 0");
		assertThat(this.bank.found("")).isEmpty();
		assertThat(this.bank.found("x".repeat(5000))).isEmpty();
		VertexApi.error(this.bank.act("retrieve", "'filter': 'fact=1'"), 501, "UNIMPLEMENTED");
		VertexApi.error(this.bank.act("retrieve", "'filterGroups': [{}]"), 501, "UNIMPLEMENTED");
		VertexApi.error(this.bank.act("retrieve", "'similaritySearchParams': {}"), 400, "INVALID_ARGUMENT");
	}

	@Test
	void storesDirectMemoriesOnce() {
		String memories = "'directMemoriesSource': {'directMemories': [{'fact': 'likes tea'}, {'fact': 'has a cat'}]}";
		Answer first = this.bank.act("generate", memories);
		assertThat(actions(first)).containsExactly("CREATED", "CREATED");
		assertThat(first.text("/response/@type")).endsWith("GenerateMemoriesResponse");
		Answer second = this.bank.act("generate",
				memories.replace("likes tea", "Likes  TEA!") + ",'metadata': {'k': {'stringValue': 'v'}}");
		assertThat(actions(second)).containsExactly("UPDATED", "UPDATED");
		assertThat(second.at("/response/generatedMemories/0/memory/name"))
			.isEqualTo(first.at("/response/generatedMemories/0/memory/name"));
		assertThat(second.text("/response/generatedMemories/0/memory/metadata/k/stringValue")).isEqualTo("v");
		assertThat(actions(this.bank.act("generate", memories + ",'disableConsolidation': true")))
			.containsExactly("CREATED", "CREATED");
		VertexApi.error(this.bank.act("generate", ""), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.bank.act("generate", memories + ",'directContentsSource': {}"), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.bank.act("generate", "'directMemoriesSource': {'directMemories': [{'fact': ' '}]}"), 400,
				"INVALID_ARGUMENT");
	}

	@Test
	void storesOnlyContentsThatNoSessionSays() {
		say("alice", "s1", "We stay in Kyoto");
		String contents = """
				'directContentsSource': {'events': [
				  {'content': {'role': 'user', 'parts': [{'text': 'we stay in kyoto.'}]}},
				  {'content': {'role': 'user', 'parts': [{'text': 'I like tea'}, {'inlineData': {'data': 'AAAA'}}]}},
				  {'content': {'role': 'model', 'parts': [{'functionCall': {'name': 'f'}}]}},
				  {'content': {'role': 'user', 'parts': [{'text': 'I like tea'}]}}]}""";
		Answer generated = this.bank.act("generate", contents);
		assertThat(actions(generated)).containsExactly("CREATED");
		assertThat(generated.text("/response/generatedMemories/0/memory/fact")).isEqualTo("I like tea");
		assertThat(actions(this.bank.act("generate", contents))).isEmpty();
		Answer ingested = this.bank.act("ingestEvents", contents + ", 'streamId': '', 'forceFlush': true").ok();
		assertThat(ingested.text("/response/@type")).endsWith("IngestEventsResponse");
		assertThat(MemoryBank.facts(this.bank.act("retrieve", ""))).containsExactly("I like tea");
		assertThat(actions(this.bank.actIn("{\"user_id\":\"alice\"}", "generate", contents))).hasSize(2);
		this.bank.act("ingestEvents", "'generationTriggerConfig': {}").ok();
	}

	@Test
	void storesContentsThatNoSearchFindsInASession() {
		say("alice", "s1", "We stay in Kyoto");
		say("alice", "s2", "We fly in May");
		String event = this.bank.act("retrieve", "'similaritySearchParams': {'searchQuery': 'Kyoto?'}")
			.text("/retrievedMemories/0/memory/name");
		this.http.delete("/v1beta1/" + event).ok();
		this.http.patch(this.bank.userPath("alice") + "/sessions/s2", Json.of("{'labels': {'memory': 'off'}}")).ok();
		assertThat(actions(this.bank.act("generate", """
				'directContentsSource': {'events': [{'content': {'parts': [{'text': 'we stay in kyoto'}]}},
				  {'content': {'parts': [{'text': 'we fly in may'}]}}]}"""))).containsExactly("CREATED", "CREATED");
		assertThat(this.bank.found("Kyoto?")).containsExactly("we stay in kyoto");
	}

	@Test
	void cutsAContentThatIsTooLargeForAFact() {
		String large = "tulip \u00e9\u65e5\ud83c\udf37".repeat(10_000);
		say("alice", "s1", "rose " + large);
		String contents = """
				'directContentsSource': {'events': [
				  {'content': {'role': 'user', 'parts': [{'text': 'rose %1$s'}]}},
				  {'content': {'role': 'user', 'parts': [{'text': '%1$s'}, {'text': 'more'}]}},
				  {'content': {'role': 'user', 'parts': [{'text': 'I like tea'}]}}]}""".formatted(large);
		assertThat(actions(this.bank.act("ingestEvents", contents))).isEmpty();
		List<String> facts = MemoryBank.facts(this.bank.act("retrieve", ""));
		assertThat(facts).hasSize(2).contains("I like tea");
		assertThat(facts).filteredOn((fact) -> !fact.equals("I like tea"))
			.allSatisfy((fact) -> assertThat(large).startsWith(fact).hasSizeGreaterThan(fact.length()));
	}

	@Test
	void refusesTooManyContents() {
		String contents = IntStream.rangeClosed(0, 500)
			.mapToObj((number) -> "{'content': {'parts': [{'text': 'tulip %d'}]}}".formatted(number))
			.collect(Collectors.joining(",", "'directContentsSource': {'events': [", "]}"));
		VertexApi.error(this.bank.act("generate", contents), 400, "INVALID_ARGUMENT");
		VertexApi.error(this.bank.act("ingestEvents", contents), 400, "INVALID_ARGUMENT");
		assertThat(MemoryBank.facts(this.bank.act("retrieve", ""))).isEmpty();
	}

	@Test
	void readsATimeWithALargeExponent() {
		this.bank.api().create("s1", "{'userId': 'alice'}").ok();
		for (String time : List.of("1e-999999999", "0e-2147483647")) {
			this.http.post(this.bank.userPath("alice") + "/sessions/s1/events", Json.of("""
					{'author': 'user', 'timestamp': %s, 'content': {'parts': [{'text': 'tulip %s'}]}}""".formatted(time,
					time)))
				.ok();
		}
		Answer found = this.bank.act("retrieve", "'similaritySearchParams': {'searchQuery': 'which tulip?'}").ok();
		assertThat(found.json().findValuesAsString("createTime")).containsExactly("1970-01-01T00:00:00Z",
				"1970-01-01T00:00:00Z");
	}

	@Test
	void takesASessionForKnown() {
		say("alice", "s1", "We stay in Kyoto");
		String session = "'vertexSessionSource': {'session': '%s'}";
		assertThat(actions(this.bank.act("generate", session.formatted(this.bank.api().name("s1"))))).isEmpty();
		VertexApi.error(this.bank.act("generate", session.formatted(this.bank.api().name("none"))), 404, "NOT_FOUND");
		VertexApi.error(this.bank.act("generate", session.formatted("s1")), 400, "INVALID_ARGUMENT");
	}

	@Test
	void purgesAScope() {
		this.bank.create("m1", "'fact': 'one'").ok();
		this.bank.createIn(this.bank.scope("bob"), "m2", "'fact': 'two'").ok();
		String filter = "{\"filter\":\"scope=\\\"" + this.bank.scope("alice").replace("\"", "\\\\\\\"") + "\\\"\"%s}";
		String path = this.bank.api().memoriesPath() + ":purge";
		assertThat(this.http.post(path, filter.formatted("")).ok().at("/response/purgeCount").intValue()).isOne();
		assertThat(names(this.bank.list("").ok())).containsExactly("m1", "m2");
		this.http.post(path, filter.formatted(",\"force\":true")).ok();
		assertThat(names(this.bank.list("").ok())).containsExactly("m2");
		VertexApi.error(this.http.post(path, "{\"force\":true}"), 400, "INVALID_ARGUMENT");
	}

	@Test
	void erasesAllThatNamesAUser() {
		this.bank.create("m1", "'fact': 'one'").ok();
		this.bank.createIn("{\"user_id\":\"alice\",\"team\":\"t\"}", "m2", "'fact': 'two'").ok();
		this.bank.createIn("{\"user_id\":\"bob\"}", "m3", "'fact': 'three'").ok();
		this.http.delete(this.bank.userPath("alice"));
		assertThat(names(this.bank.list("").ok())).containsExactly("m3");
	}

	@Test
	void hasNoProfilesAndNoRevisions() {
		assertThat(this.bank.act("retrieveProfiles", "").ok().json()).isEqualTo(Json.node("{}"));
		String memory = this.bank.api().memoriesPath() + "/m1";
		VertexApi.error(this.http.get(memory + "/revisions"), 501, "UNIMPLEMENTED");
		VertexApi.error(this.http.get(memory + "/revisions/r1"), 501, "UNIMPLEMENTED");
		VertexApi.error(this.http.post(memory + ":rollback", "{}"), 501, "UNIMPLEMENTED");
	}

	@Test
	void refusesWhatCannotBeStored() {
		for (String fields : List.of("'displayName': 'x'", "'fact': 1", "'fact': 'x', 'metadata': {'a': {}}",
				"'fact': 'x', 'metadata': {'a': {'stringValue': 'b', 'boolValue': true}}",
				"'fact': 'x', 'metadata': {'a': {'doubleValue': 'NaN'}}", "'fact': 'x', 'ttl': 'soon'",
				"'fact': 'x', 'ttl': '0s'", "'fact': 'x', 'ttl': '0.000000999s'",
				"'fact': 'x', 'expireTime': '2020-01-01T00:00:00Z'", "'fact': 'x', 'topics': 'drinks'",
				"'fact': 'x', 'displayName': 'a', 'display_name': 'b'", "'fact': '" + "x".repeat(40_000) + "'")) {
			VertexApi.error(this.bank.create("", fields), 400, "INVALID_ARGUMENT");
		}
		VertexApi.error(this.bank.create("event-00000000-0000-0000-0000-000000000000-1", "'fact': 'x'"), 400,
				"INVALID_ARGUMENT");
		VertexApi.error(this.http.post(this.bank.api().memoriesPath(), "{\"fact\":\"x\"}"), 400, "INVALID_ARGUMENT");
	}

	@Test
	void worksInTheOtherVersionAndInExpressMode() {
		this.bank.create("m1", "'fact': 'likes tea'").ok();
		String express = "/v1beta1/reasoningEngines/" + this.bank.engine() + "/memories/m1";
		assertThat(this.http.get(express).ok().text("/name")).startsWith("projects/local/locations/local/");
		Answer stable = this.http.post(this.bank.api().v1().memoriesPath() + ":retrieve",
				"{\"scope\":" + this.bank.scope("alice") + "}");
		assertThat(MemoryBank.facts(stable)).containsExactly("likes tea");
	}

	@Test
	void retrievesAFactThatWasStoredWithoutItsApp() {
		this.bank.create("m1", "'fact': 'likes tea'").ok();
		this.jdbc.update("update memories set app_key = null, user_id = null where id = 'm1' and scope is null");
		assertThat(MemoryBank.facts(this.bank.act("retrieve", ""))).containsExactly("likes tea");
	}

	private void say(String user, String session, String text) {
		this.bank.api().create(session, "{'userId': '%s'}".formatted(user)).ok();
		this.bank.api().appendWith(session, "'content': {'role': 'user', 'parts': [{'text': '%s'}]}".formatted(text));
	}

	private String filter(String scope) {
		return "?filter=" + URLEncoder.encode("scope=\"" + scope + "\"", StandardCharsets.UTF_8);
	}

	private List<String> names(Answer list) {
		return list.at("/memories")
			.valueStream()
			.map((memory) -> memory.at("/name").stringValue())
			.map((name) -> name.substring(name.lastIndexOf('/') + 1))
			.toList();
	}

	private static List<String> actions(Answer generated) {
		return generated.ok()
			.at("/response/generatedMemories")
			.valueStream()
			.map((memory) -> memory.at("/action").stringValue())
			.toList();
	}

}
