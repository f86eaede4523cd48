package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Json;

/**
 * The code examples of ADK's and adk-rust's pages on sessions and state, each as an agent
 * would run it against this service.
 */
@HttpTest
class SeedExamplesTests {

	private final Api api;

	SeedExamplesTests(Http http) {
		this.api = new Api(http);
	}

	/** ADK, "Session": examining the properties of a session, and cleaning up. */
	@Test
	void showsTheSessionsProperties() {
		Answer created = this.api.create("{'state': {'initial_key': 'initial_value'}}").ok();
		String id = created.text("/id");

		Answer session = this.api.get(id).ok();
		assertThat(UUID.fromString(session.text("/id"))).hasToString(id);
		assertThat(session.text("/appName")).isEqualTo(this.api.app());
		assertThat(session.text("/userId")).isEqualTo("alice");
		assertThat(session.at("/state")).isEqualTo(Json.node("{'initial_key': 'initial_value'}"));
		assertThat(session.at("/events").isEmpty()).isTrue();
		assertThat(session.at("/lastUpdateTime").isNumber()).isTrue();

		assertThat(this.api.delete(id).status()).isEqualTo(204);
		this.api.get(id).problem(404, "SESSION_NOT_FOUND");
	}

	/** The same in Java, with an id of its own. */
	@Test
	void createsASessionWithAnIdOfItsOwn() {
		Answer created = this.api.create("123", "{'newKey': 'newValue'}").ok();

		assertThat(created.text("/id")).isEqualTo("123");
		assertThat(created.at("/state")).isEqualTo(Json.node("{'newKey': 'newValue'}"));
		assertThat(this.api.delete("123").status()).isEqualTo(204);
	}

	/** ADK, "State": the text of an answer is saved under the agent's output_key. */
	@Test
	void savesAnAnswerUnderTheOutputKey() {
		Api user1 = this.api.as("user1");
		assertThat(user1.create("{'sessionId': 'session1'}").ok().at("/state").isEmpty()).isTrue();
		String text = "Hello there! How can I help you today?";

		user1.append("session1", """
				{'invocationId': 'e-1', 'author': 'user', 'content': {'role': 'user', 'parts': [{'text': 'Hello'}]}}""")
			.ok();
		user1
			.append("session1",
					"""
							{'invocationId': 'e-1', 'author': 'Greeter', 'content': {'role': 'model', 'parts': [{'text': '%1$s'}]},
							 'actions': {'stateDelta': {'last_greeting': '%1$s'}}}"""
						.formatted(text))
			.ok();

		Answer updated = user1.get("session1").ok();
		assertThat(updated.at("/state")).isEqualTo(Json.node("{'last_greeting': '%s'}".formatted(text)));
		assertThat(updated.text("/events/1/content/parts/0/text")).isEqualTo(text);
	}

	/** ADK, "State": a login counter, with the time in Java's milliseconds. */
	@Test
	void countsLogins() {
		Api user2 = this.api.as("user2");
		Answer session = user2
			.create("{'sessionId': 'session2', 'state': {'user:login_count': 0, 'task_status': 'idle'}}")
			.ok();
		long now = System.currentTimeMillis();

		Answer appended = user2
			.append("session2",
					"""
							{'invocationId': 'inv_login_update', 'author': 'system', 'timestamp': %1$d,
							 'actions': {'stateDelta': {'task_status': 'active', 'user:login_count': %2$d,
							  'user:last_login_ts': %1$d, 'temp:validation_needed': true}}}""".formatted(now,
							session.at("/state/user:login_count").intValue() + 1))
			.ok();

		assertThat(user2.get("session2").at("/state")).isEqualTo(
				Json.node("{'user:login_count': 1, 'task_status': 'active', 'user:last_login_ts': %d}".formatted(now)));
		assertThat(appended.body()).doesNotContain("validation_needed");
		assertThat(appended.at("/event/timestamp").decimalValue().movePointRight(3)).isEqualByComparingTo("" + now);
		assertThat(user2.create("{'sessionId': 'session3'}").at("/state/user:login_count").intValue()).isEqualTo(1);
	}

	/** ADK, "State": a tool counts in the session and leaves a note for itself. */
	@Test
	void keepsWhatAToolChangesButNotItsNotes() {
		this.api.create("{'sessionId': 's1'}").ok();

		for (int count = 1; count <= 2; count++) {
			this.api.append("s1", """
					{'author': 'tool', 'actions': {'stateDelta':
					 {'user_action_count': %d, 'temp:last_operation_status': 'success'}}}""".formatted(count)).ok();
		}

		Answer session = this.api.get("s1").ok();
		assertThat(session.at("/state")).isEqualTo(Json.node("{'user_action_count': 2}"));
		assertThat(session.body()).doesNotContain("temp:");
	}

	/** ADK, "State": one example of each scope. */
	@Test
	void keepsEachScopeAsLongAsItsPrefixSays() {
		this.api.create("{'sessionId': 's1'}").ok();
		this.api.append("s1", """
				{'author': 'agent', 'actions': {'stateDelta': {
				 'current_intent': 'book_flight', 'user:preferred_language': 'fr',
				 'app:global_discount_code': 'SAVE10', 'temp:raw_api_response': {'a': 1},
				 'shopping_cart_items': ['book', 'pen'], 'user_is_authenticated': true}}}""").ok();

		assertThat(this.api.get("s1").at("/state")).isEqualTo(Json.node("""
				{'current_intent': 'book_flight', 'shopping_cart_items': ['book', 'pen'],
				 'user_is_authenticated': true, 'user:preferred_language': 'fr',
				 'app:global_discount_code': 'SAVE10'}"""));
		assertThat(this.api.create("{}").at("/state"))
			.isEqualTo(Json.node("{'user:preferred_language': 'fr', 'app:global_discount_code': 'SAVE10'}"));
		assertThat(this.api.as("bob").create("{}").at("/state"))
			.isEqualTo(Json.node("{'app:global_discount_code': 'SAVE10'}"));
	}

	/** adk-rust, "State management": the initial state in three scopes. */
	@Test
	void splitsTheInitialStateIntoItsScopes() {
		Answer session = this.api.as("user_123")
			.create("{'state': {'app:version': '1.0.0', 'user:name': 'Alice', 'topic': 'Getting started'}}")
			.ok();

		assertThat(session.at("/state"))
			.isEqualTo(Json.node("{'app:version': '1.0.0', 'user:name': 'Alice', 'topic': 'Getting started'}"));
		assertThat(this.api.as("user_123").create("{}").at("/state"))
			.isEqualTo(Json.node("{'app:version': '1.0.0', 'user:name': 'Alice'}"));
		assertThat(this.api.as("user_456").create("{}").at("/state")).isEqualTo(Json.node("{'app:version': '1.0.0'}"));
	}

	/** adk-rust, "State management": an event changes the state. */
	@Test
	void changesTheStateByAnEvent() {
		this.api.create("{'sessionId': 's1'}").ok();

		this.api.append("s1", """
				{'invocation_id': 'invocation_123',
				 'actions': {'state_delta': {'counter': 42, 'user:last_seen': '2024-01-15'}}}""").ok();

		assertThat(this.api.get("s1").at("/state"))
			.isEqualTo(Json.node("{'counter': 42, 'user:last_seen': '2024-01-15'}"));
		assertThat(this.api.get("s1").text("/events/0/invocationId")).isEqualTo("invocation_123");
	}

	/** adk-rust, "State management": the complete example. */
	@Test
	void sharesStateOfAppAndUserButNotOfTheSession() {
		this.api.create("""
				{'sessionId': 's1',
				 'state': {'app:theme': 'dark', 'user:language': 'en', 'context': 'session1'}}""").ok();

		Answer second = this.api.create("{'sessionId': 's2', 'state': {'context': 'session2'}}").ok();

		assertThat(second.at("/state"))
			.isEqualTo(Json.node("{'app:theme': 'dark', 'user:language': 'en', 'context': 'session2'}"));
		assertThat(this.api.get("s2").at("/state")).isEqualTo(second.at("/state"));
		assertThat(this.api.get("s1").text("/state/context")).isEqualTo("session1");
	}

	/** adk-rust, "State management": an instruction with state in it. */
	@Test
	void putsStateIntoAnInstruction() {
		this.api.create("{'sessionId': 's1', 'state': {'user:name': 'Alice', 'topic': 'Rust', 'user:language': 'en'}}")
			.ok();

		Answer rendered = this.api.render("s1",
				"You are helping {user:name} with {topic}. Their preferred language is {user:language}.");

		assertThat(rendered.ok().text("/text"))
			.isEqualTo("You are helping Alice with Rust. Their preferred language is en.");
	}

	/** ADK, "Session": the life of a conversation, resumed, listed and ended. */
	@Test
	void resumesAConversationWhereItWasLeft() {
		String id = this.api.create("{}").ok().text("/id");
		this.api.append(id, "{'author': 'user', 'content': {'parts': [{'text': 'Book a flight'}]}}").ok();
		String etag = this.api.get(id).etag();

		this.api
			.append(id, "{'author': 'agent', 'actions': {'stateDelta': {'booking_step': 'confirm_payment'}}}",
					"If-Match", etag)
			.ok();

		Answer resumed = this.api.get(id).ok();
		assertThat(resumed.at("/events").findValuesAsString("author")).containsExactly("user", "agent");
		assertThat(resumed.text("/state/booking_step")).isEqualTo("confirm_payment");
		assertThat(this.api.list("").ok().at("/0/id").stringValue()).isEqualTo(id);
		this.api.delete(id);
		assertThat(this.api.list("").body()).isEqualTo("[]");
	}

}
