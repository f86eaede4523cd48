package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.EventMarks;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.PendingService.PendingCall;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery;
import dev.agentsessions.session.lifecycle.PendingService.PendingQuery.PendingPosition;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** Function calls that wait for somebody's answer. */
interface PendingContract extends StoreUnderTest {

	@Test
	default void listsCallsThatWait() {
		SessionKey key = newSession();
		assertThat(pending(key)).isEmpty();
		store(key, Events.id("e1"));
		Event event = store(key, event("e2", "agent", call("c1", "c2"), "c1"));
		assertThat(store().pending(ofSession(key, 10)).orElseThrow().items())
			.containsExactly(new PendingCall(key, read(key).birth(), "e2", 2, event.commitTime(), "c1", "f",
					Sessions.state("{\"a\":{\"n\":1}}").get("a")));
		assertThat(store().pending(ofSession(Sessions.sibling(key, "other"), 10))).isEmpty();
		assertThat(store().pending(ofSession(Sessions.ofUser(key, "bob"), 10))).isEmpty();
	}

	@Test
	default void closesCallsThatAUserAnswers() {
		SessionKey key = newSession();
		store(key, event("e1", "agent", call("c1", "c2", "c3"), "c1", "c2", "c3"));
		store(key, event("e2", "agent", answer("c1")));
		assertThat(pending(key)).as("a placeholder").containsExactly("e1 c1", "e1 c2", "e1 c3");
		store(key, event("e3", "user", answer("c2")));
		assertThat(pending(key)).containsExactly("e1 c1", "e1 c3");
		store().appendAll(key, List.of(event("e4", "user", answer("c1", "c3")), event("e5", "agent", call("c1"), "c1")),
				Precondition.NONE);
		assertThat(pending(key)).as("an id that was used again").containsExactly("e5 c1");
		store(key, event("e6", "user", answer("c9")));
		assertThat(pending(key)).containsExactly("e5 c1");
	}

	/** ADK has not always listed them as long-running. */
	@Test
	default void requestsOfAnAgentWaitThoughTheyAreNotListed() {
		SessionKey key = newSession();
		store(key, event("e1", "agent", call("c1").replace("\"f\"", "\"adk_request_input\"")));
		store(key, event("e2", "agent", call("c2").replace("\"f\"", "\"adk_request_credential\"")));
		store(key, event("e3", "agent", call("c3").replace("\"f\"", "\"adk_request_confirmation\"")));
		store(key, event("e4", "agent", call("c4", "c4").replace("\"f\"", "\"adk_request_input\""), "c4"));
		assertThat(pending(key)).containsExactly("e1 c1", "e2 c2", "e4 c4");
		store(key, event("e5", "user", answer("c2")));
		assertThat(pending(key)).containsExactly("e1 c1", "e4 c4");
	}

	@Test
	default void aUserAnswersTheCallAfterWhichABranchIsNamed() {
		SessionKey key = newSession();
		String longId = "x".repeat(1000);
		store(key, event("e1", "agent", call("c1", "c2", longId, "3"), "c1", "c2", longId, "3"));
		store(key, onBranch("e2", "user", "{\"parts\":[{\"text\":\"no response\"}]}", "c1"));
		store(key, onBranch("e3", "agent", answer("other"), "c1"));
		assertThat(pending(key)).hasSize(4);
		store(key, onBranch("e4", "user", answer("other"), "c1"));
		assertThat(pending(key)).containsExactlyInAnyOrder("e1 c2", "e1 3", "e1 " + longId);
		store(key, onBranch("e5", "user", answer("other"), longId));
		store(key, onBranch("e6", "user", answer("other"), "3"));
		assertThat(pending(key)).containsExactly("e1 c2");
	}

	private static NewEvent onBranch(String id, String author, String content, String call) {
		return event(id, author, content + ",\"branch\":\"root@1.tool@" + call + ".agent\"");
	}

	/** The agent that has called is the author. */
	@Test
	default void anAbortedInvocationWaitsNoMore() {
		SessionKey key = newSession();
		store(key, event("e1", "agent", call("c1", "c2"), "c1", "c2"));
		store(key, event("e2", "agent", answer("c1") + ",\"errorCode\":\"OTHER\""));
		assertThat(pending(key)).containsExactly("e1 c1", "e1 c2");
		store(key, event("e3", "agent", answer("c1") + ",\"errorCode\":\"INVOCATION_ABORTED\""));
		assertThat(pending(key)).containsExactly("e1 c2");
	}

	@Test
	default void takesBackWhatIsRewound() {
		SessionKey key = newSession();
		store(key, event("e1", "agent", call("c1"), "c1"));
		store(key, event("e2", "user", answer("c1")));
		store(key, event("e3", "agent", call("c2"), "c2"));
		rewind(key, "r1", "e3");
		assertThat(pending(key)).isEmpty();
		rewind(key, "r2", "e2");
		assertThat(pending(key)).as("its answer was taken back").containsExactly("e1 c1");
		store(key, event("e4", "user", answer("c1")));
		assertThat(pending(key)).isEmpty();
		rewind(key, "r3", "r1");
		assertThat(pending(key)).as("as it was before the first rewind").containsExactly("e3 c2");
		rewind(key, "r4", "e1");
		assertThat(pending(key)).isEmpty();
	}

	@Test
	default void listsCallsOfAnAppTheOldestFirst() {
		SessionKey key = newSession();
		SessionKey second = store().create(Sessions.empty(Sessions.ofUser(key, "bob"))).key();
		SessionKey third = store().create(Sessions.empty(Sessions.sibling(key, "s2"))).key();
		store(key, event("e1", "agent", call("c1"), "c1"));
		store(third, event("e2", "agent", call("c1"), "c1"));
		store(second, event("e3", "agent", call("c1"), "c1"));
		store(newSession(), event("e4", "agent", call("c1"), "c1"));
		assertThat(pages(new PendingQuery(key.app(), null, null, 2))).containsExactly(List.of("e1", "e2"),
				List.of("e3"));
		store().delete(third, Precondition.NONE);
		store().updateDetails(second, new SessionDetails(null, null, Instant.EPOCH), Precondition.NONE);
		assertThat(pages(new PendingQuery(key.app(), null, null, 2))).containsExactly(List.of("e1"));
		store().create(Sessions.empty(third));
		assertThat(pending(third)).as("another session of the same name").isEmpty();
		store().erase(key.user());
		assertThat(pages(new PendingQuery(key.app(), null, null, 2))).containsExactly(List.of());
	}

	@Test
	default void listsSessionsThatWait() {
		SessionKey key = newSession();
		SessionKey other = store().create(Sessions.empty(Sessions.sibling(key, "s2"))).key();
		SessionQuery waiting = SessionQuery.of(key.user(), Order.USER, false, 10,
				new Filter(null, Map.of(), false, true, null, null), false);
		assertThat(store().list(waiting).items()).isEmpty();
		store(other, event("e1", "agent", call("c1"), "c1"));
		store(key, Events.id("e1"));
		assertThat(store().list(waiting).items()).extracting(Session::key).containsExactly(other);
		SessionQuery ofApp = SessionQuery.of(key.app(), Order.USER, true, 10,
				new Filter(null, Map.of(), false, true, null, null), false);
		assertThat(store().list(ofApp).items()).extracting(Session::key).containsExactly(other);
		store(other, event("e2", "user", answer("c1")));
		assertThat(store().list(waiting).items()).isEmpty();
	}

	@Test
	default void keepsNoLongArguments() {
		SessionKey key = newSession();
		store(key, Events.event("""
				{"id":"e1","author":"agent","longRunningToolIds":["c1"],"content":{"parts":[
				{"functionCall":{"id":"c1","name":"f","args":{"text":"%s\\u0000"}}}]}}""".formatted("x".repeat(5000))));
		store(key, Events.event("""
				{"id":"e2","author":"agent","longRunningToolIds":["c2"],"content":{"parts":[
				{"function_call":{"id":"c2","args":{"text":"\\u0000"}}}]}}"""));
		assertThat(store().pending(ofSession(key, 10)).orElseThrow().items()).satisfiesExactly(
				(call) -> assertThat(call.args()).isNull(),
				(call) -> assertThat(String.valueOf(call.args())).isEqualTo("{\"text\":\"\\u0000\"}"));
	}

	@Test
	default void matchesTheWholeIdHoweverLong() {
		SessionKey key = newSession();
		String id = "x".repeat(8191);
		store(key, event("e1", "agent", call(id + "1", id + "2"), id + "1", id + "2"));
		store(key, event("e2", "user", answer(id + "1")));
		assertThat(pending(key)).containsExactly("e1 " + id + "2");
	}

	@Test
	default void takesBackManyTimesInABatch() {
		SessionKey key = newSession();
		List<NewEvent> events = new ArrayList<>();
		for (int turn = 0; turn < 100; turn++) {
			events.add(event("e" + turn, "agent", call("c" + turn), "c" + turn));
			events.add(event("a" + turn, "user", answer("c" + turn)));
			events.add(Events
				.event("{\"id\":\"r%d\",\"author\":\"user\",\"actions\":{\"rewindBeforeInvocationId\":\"a0\"}}"
					.formatted(turn)));
		}
		store().appendAll(key, events, Precondition.NONE);
		assertThat(pending(key)).containsExactly("e0 c0");
	}

	@Test
	default void refusesCallsThatCouldNotBeListed() {
		String id = "x".repeat(8193);
		assertThatExceptionOfType(JsonException.InvalidShape.class)
			.isThrownBy(() -> event("e1", "agent", call(id), id));
		assertThat(event("e1", "agent", call(id)).marks()).isEqualTo(EventMarks.NONE);
	}

	@Test
	default void pendingCallsFollowRulesForRandomHistories() {
		for (long seed = 100; seed <= 130; seed++) {
			SessionKey key = newSession();
			List<NewEvent> events = new RandomHistory(seed).events(40).stream().map(Events::event).toList();
			store().appendAll(key, events, Precondition.NONE);
			assertThat(pending(key)).as("seed %d", seed)
				.containsExactlyInAnyOrderElementsOf(ContextRules.waiting(read(key).events().toList())
					.stream()
					.map((waiting) -> waiting.getKey().id() + " " + waiting.getValue())
					.toList());
		}
	}

	private List<String> pending(SessionKey key) {
		return store().pending(ofSession(key, 100))
			.orElseThrow()
			.items()
			.stream()
			.map((call) -> call.eventId() + " " + call.callId())
			.toList();
	}

	private static PendingQuery ofSession(SessionKey key, int limit) {
		return new PendingQuery(key.app(), key, null, limit);
	}

	private List<List<String>> pages(PendingQuery query) {
		List<List<String>> pages = new ArrayList<>();
		@Nullable PendingQuery next = query;
		while (next != null) {
			Page<PendingCall> page = store().pending(next).orElseThrow();
			pages.add(page.items().stream().map(PendingCall::eventId).toList());
			next = page.more() ? query.after(PendingPosition.of(page.last())) : null;
		}
		return pages;
	}

	private void rewind(SessionKey key, String id, String before) {
		store(key, Events.event(
				"{\"id\":\"%s\",\"invocationId\":\"%s\",\"author\":\"user\",\"actions\":{\"rewindBeforeInvocationId\":\"%s\"}}"
					.formatted(id, id, before)));
	}

	private static NewEvent event(String id, String author, String content, String... longRunning) {
		return Events.event("{\"id\":\"%s\",\"invocationId\":\"%s\",\"author\":\"%s\",\"content\":%s%s}".formatted(id,
				id, author, content, (longRunning.length == 0) ? ""
						: ",\"longRunningToolIds\":[\"" + String.join("\",\"", longRunning) + "\"]"));
	}

	private static String call(String... ids) {
		return parts("functionCall", ids);
	}

	private static String answer(String... ids) {
		return parts("functionResponse", ids);
	}

	private static String parts(String kind, String... ids) {
		List<String> parts = new ArrayList<>();
		for (String id : ids) {
			parts.add("{\"%s\":{\"id\":\"%s\",\"name\":\"f\",\"args\":{\"n\":1}}}".formatted(kind, id));
		}
		return "{\"role\":\"model\",\"parts\":[" + String.join(",", parts) + "]}";
	}

}
