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
import dev.agentsessions.session.SessionName;
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
		SessionName name = newSession();
		assertThat(pending(name)).isEmpty();
		store(name, Events.id("e1"));
		Event event = store(name, event("e2", "agent", call("c1", "c2"), "c1"));
		assertThat(store().pending(ofSession(name, 10)).orElseThrow().items())
			.containsExactly(new PendingCall(name, read(name).sessionKey(), "e2", 2, event.commitTime(), "c1", "f",
					Sessions.state("{\"a\":{\"n\":1}}").get("a")));
		assertThat(store().pending(ofSession(Sessions.sibling(name, "other"), 10))).isEmpty();
		assertThat(store().pending(ofSession(Sessions.ofUser(name, "bob"), 10))).isEmpty();
	}

	@Test
	default void closesCallsThatAUserAnswers() {
		SessionName name = newSession();
		store(name, event("e1", "agent", call("c1", "c2", "c3"), "c1", "c2", "c3"));
		store(name, event("e2", "agent", answer("c1")));
		assertThat(pending(name)).as("a placeholder").containsExactly("e1 c1", "e1 c2", "e1 c3");
		store(name, event("e3", "user", answer("c2")));
		assertThat(pending(name)).containsExactly("e1 c1", "e1 c3");
		store().appendAll(name,
				List.of(event("e4", "user", answer("c1", "c3")), event("e5", "agent", call("c1"), "c1")),
				Precondition.NONE);
		assertThat(pending(name)).as("an id that was used again").containsExactly("e5 c1");
		store(name, event("e6", "user", answer("c9")));
		assertThat(pending(name)).containsExactly("e5 c1");
	}

	/** ADK has not always listed them as long-running. */
	@Test
	default void requestsOfAnAgentWaitThoughTheyAreNotListed() {
		SessionName name = newSession();
		store(name, event("e1", "agent", call("c1").replace("\"f\"", "\"adk_request_input\"")));
		store(name, event("e2", "agent", call("c2").replace("\"f\"", "\"adk_request_credential\"")));
		store(name, event("e3", "agent", call("c3").replace("\"f\"", "\"adk_request_confirmation\"")));
		store(name, event("e4", "agent", call("c4", "c4").replace("\"f\"", "\"adk_request_input\""), "c4"));
		assertThat(pending(name)).containsExactly("e1 c1", "e2 c2", "e4 c4");
		store(name, event("e5", "user", answer("c2")));
		assertThat(pending(name)).containsExactly("e1 c1", "e4 c4");
	}

	@Test
	default void aUserAnswersTheCallAfterWhichABranchIsNamed() {
		SessionName name = newSession();
		String longId = "x".repeat(1000);
		store(name, event("e1", "agent", call("c1", "c2", longId, "3"), "c1", "c2", longId, "3"));
		store(name, onBranch("e2", "user", "{\"parts\":[{\"text\":\"no response\"}]}", "c1"));
		store(name, onBranch("e3", "agent", answer("other"), "c1"));
		assertThat(pending(name)).hasSize(4);
		store(name, onBranch("e4", "user", answer("other"), "c1"));
		assertThat(pending(name)).containsExactlyInAnyOrder("e1 c2", "e1 3", "e1 " + longId);
		store(name, onBranch("e5", "user", answer("other"), longId));
		store(name, onBranch("e6", "user", answer("other"), "3"));
		assertThat(pending(name)).containsExactly("e1 c2");
	}

	private static NewEvent onBranch(String id, String author, String content, String call) {
		return event(id, author, content + ",\"branch\":\"root@1.tool@" + call + ".agent\"");
	}

	/** The agent that has called is the author. */
	@Test
	default void anAbortedInvocationWaitsNoMore() {
		SessionName name = newSession();
		store(name, event("e1", "agent", call("c1", "c2"), "c1", "c2"));
		store(name, event("e2", "agent", answer("c1") + ",\"errorCode\":\"OTHER\""));
		assertThat(pending(name)).containsExactly("e1 c1", "e1 c2");
		store(name, event("e3", "agent", answer("c1") + ",\"errorCode\":\"INVOCATION_ABORTED\""));
		assertThat(pending(name)).containsExactly("e1 c2");
	}

	@Test
	default void takesBackWhatIsRewound() {
		SessionName name = newSession();
		store(name, event("e1", "agent", call("c1"), "c1"));
		store(name, event("e2", "user", answer("c1")));
		store(name, event("e3", "agent", call("c2"), "c2"));
		rewind(name, "r1", "e3");
		assertThat(pending(name)).isEmpty();
		rewind(name, "r2", "e2");
		assertThat(pending(name)).as("its answer was taken back").containsExactly("e1 c1");
		store(name, event("e4", "user", answer("c1")));
		assertThat(pending(name)).isEmpty();
		rewind(name, "r3", "r1");
		assertThat(pending(name)).as("as it was before the first rewind").containsExactly("e3 c2");
		rewind(name, "r4", "e1");
		assertThat(pending(name)).isEmpty();
	}

	@Test
	default void listsCallsOfAnAppTheOldestFirst() {
		SessionName name = newSession();
		SessionName second = store().create(Sessions.empty(Sessions.ofUser(name, "bob"))).name();
		SessionName third = store().create(Sessions.empty(Sessions.sibling(name, "s2"))).name();
		store(name, event("e1", "agent", call("c1"), "c1"));
		store(third, event("e2", "agent", call("c1"), "c1"));
		store(second, event("e3", "agent", call("c1"), "c1"));
		store(newSession(), event("e4", "agent", call("c1"), "c1"));
		assertThat(pages(new PendingQuery(name.app(), null, null, 2))).containsExactly(List.of("e1", "e2"),
				List.of("e3"));
		store().delete(third, Precondition.NONE);
		store().updateDetails(second, new SessionDetails(null, null, Instant.EPOCH), Precondition.NONE);
		assertThat(pages(new PendingQuery(name.app(), null, null, 2))).containsExactly(List.of("e1"));
		store().create(Sessions.empty(third));
		assertThat(pending(third)).as("another session of the same name").isEmpty();
		store().erase(name.user());
		assertThat(pages(new PendingQuery(name.app(), null, null, 2))).containsExactly(List.of());
	}

	@Test
	default void listsSessionsThatWait() {
		SessionName name = newSession();
		SessionName other = store().create(Sessions.empty(Sessions.sibling(name, "s2"))).name();
		SessionQuery waiting = SessionQuery.of(name.user(), Order.USER, false, 10,
				new Filter(null, Map.of(), false, true, null, null), false);
		assertThat(store().list(waiting).items()).isEmpty();
		store(other, event("e1", "agent", call("c1"), "c1"));
		store(name, Events.id("e1"));
		assertThat(store().list(waiting).items()).extracting(Session::name).containsExactly(other);
		SessionQuery ofApp = SessionQuery.of(name.app(), Order.USER, true, 10,
				new Filter(null, Map.of(), false, true, null, null), false);
		assertThat(store().list(ofApp).items()).extracting(Session::name).containsExactly(other);
		store(other, event("e2", "user", answer("c1")));
		assertThat(store().list(waiting).items()).isEmpty();
	}

	@Test
	default void keepsNoLongArguments() {
		SessionName name = newSession();
		store(name, Events.event("""
				{"id":"e1","author":"agent","longRunningToolIds":["c1"],"content":{"parts":[
				{"functionCall":{"id":"c1","name":"f","args":{"text":"%s\\u0000"}}}]}}""".formatted("x".repeat(5000))));
		store(name, Events.event("""
				{"id":"e2","author":"agent","longRunningToolIds":["c2"],"content":{"parts":[
				{"function_call":{"id":"c2","args":{"text":"\\u0000"}}}]}}"""));
		assertThat(store().pending(ofSession(name, 10)).orElseThrow().items()).satisfiesExactly(
				(call) -> assertThat(call.args()).isNull(),
				(call) -> assertThat(String.valueOf(call.args())).isEqualTo("{\"text\":\"\\u0000\"}"));
	}

	@Test
	default void matchesTheWholeIdHoweverLong() {
		SessionName name = newSession();
		String id = "x".repeat(8191);
		store(name, event("e1", "agent", call(id + "1", id + "2"), id + "1", id + "2"));
		store(name, event("e2", "user", answer(id + "1")));
		assertThat(pending(name)).containsExactly("e1 " + id + "2");
	}

	@Test
	default void takesBackManyTimesInABatch() {
		SessionName name = newSession();
		List<NewEvent> events = new ArrayList<>();
		for (int turn = 0; turn < 100; turn++) {
			events.add(event("e" + turn, "agent", call("c" + turn), "c" + turn));
			events.add(event("a" + turn, "user", answer("c" + turn)));
			events.add(Events
				.event("{\"id\":\"r%d\",\"author\":\"user\",\"actions\":{\"rewindBeforeInvocationId\":\"a0\"}}"
					.formatted(turn)));
		}
		store().appendAll(name, events, Precondition.NONE);
		assertThat(pending(name)).containsExactly("e0 c0");
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
			SessionName name = newSession();
			List<NewEvent> events = new RandomHistory(seed).events(40).stream().map(Events::event).toList();
			store().appendAll(name, events, Precondition.NONE);
			assertThat(pending(name)).as("seed %d", seed)
				.containsExactlyInAnyOrderElementsOf(ContextRules.waiting(read(name).events().toList())
					.stream()
					.map((waiting) -> waiting.getKey().id() + " " + waiting.getValue())
					.toList());
		}
	}

	private List<String> pending(SessionName name) {
		return store().pending(ofSession(name, 100))
			.orElseThrow()
			.items()
			.stream()
			.map((call) -> call.eventId() + " " + call.callId())
			.toList();
	}

	private static PendingQuery ofSession(SessionName name, int limit) {
		return new PendingQuery(name.app(), name, null, limit);
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

	private void rewind(SessionName name, String id, String before) {
		store(name, Events.event(
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
