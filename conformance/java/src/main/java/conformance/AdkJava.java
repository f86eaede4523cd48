package conformance;

import static conformance.Cases.check;
import static conformance.Cases.equal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.State;
import com.google.adk.sessions.VertexAiSessionService;
import com.google.genai.types.Blob;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.Part;

/** Uses the session service of the published google-adk against a running service. */
public class AdkJava {

	static final String URL = System.getenv("AGENT_SESSIONS_URL");

	static final String ENGINE = System.getenv("CONFORMANCE_ENGINE");

	private static final String ODD_USER = "u \"1\" é&+";

	private static final byte[] PIXEL = { 1, 2, 3, 4, -1, -2, -3, 62, 63 };

	private static final long START = Instant.parse("2026-01-01T00:00:00.123Z").toEpochMilli();

	private final VertexAiSessionService service = Quickstart.agentSessions(URL);

	private final String version;

	AdkJava(String version) {
		this.version = version;
	}

	public static void main(String[] args) {
		AdkJava adk = new AdkJava(args[0]);
		Cases cases = new Cases("java google-adk " + args[0] + " (" + args[1] + ")");
		if (args[1].equals("before")) {
			adk.before(cases);
		}
		else {
			adk.after(cases);
		}
		System.exit(cases.report() ? 0 : 1);
	}

	private void before(Cases cases) {
		Agent agent = new Agent(this.service, "talker-" + this.version);
		cases.run("creates, reads, lists and deletes a session", this::lifecycle);
		cases.run("reads back the whole event", this::wholeEvent);
		cases.run("reads 250 events complete and in order", this::manyEvents);
		cases.run("shares state between sessions", this::sharedState);
		cases.run("removes a key", this::removedKey);
		cases.run("finds the sessions of a user with an odd name", this::oddUser);
		cases.run("hides sessions of somebody else", this::wrongUser);
		cases.run("misses what is not there", this::missing);
		cases.run("works with a slash at the end of the URL", this::trailingSlash);
		cases.run("runs the program of the documentation", () -> Quickstart.main(new String[0]));
		cases.run("runs an agent", () -> {
			equal(agent.talk(), List.of("1 so far"));
			equal(agent.talk(), List.of("2 so far"));
			Session session = agent.session();
			equal(session.state().get("count"), 2);
			equal(session.state().get("user:total"), 2);
			equal(session.state().get("answer"), "2 so far");
			equal(session.state().containsKey("temp:scratch"), false);
			equal(session.events().size(), 8);
		});
		cases.run("leaves something for the other languages", this::leaveSomething);
	}

	private void after(Cases cases) {
		Agent agent = new Agent(this.service, "talker-" + this.version);
		cases.run("goes on with the conversation after a restart", () -> {
			equal(agent.talk(), List.of("3 so far"));
			equal(agent.session().state().get("answer"), "3 so far");
			equal(agent.session().events().size(), 12);
		});
		cases.run("reads what the other languages left", this::readOthers);
	}

	private void lifecycle() {
		Session session = create("lifecycle", Map.of("k", 1));
		equal(session.state().get("k"), 1);
		equal(get(session).state().get("k"), 1);
		check(ids("lifecycle").contains(session.id()), "not in the list");
		this.service.deleteSession(ENGINE, "lifecycle", session.id()).blockingAwait();
		check(find(session.id(), "lifecycle").isEmpty(), "still there");
	}

	private void wholeEvent() {
		Session session = create("alice", Map.of());
		Map<String, Object> args = new HashMap<>();
		args.put("some_key", null);
		Event sent = event(1)
			.content(Content.builder()
				.role("user")
				.parts(List.of(Part.fromText("look"),
						Part.builder().inlineData(Blob.builder().data(PIXEL).mimeType("image/png").build()).build(),
						Part.builder().functionCall(FunctionCall.builder().id("c1").name("f_g").args(args).build()).build()))
				.build())
			.actions(EventActions.builder()
				.stateDelta(new ConcurrentHashMap<>(Map.of("a", Map.of("n", List.of(1, 2.5)), "user:u", "x")))
				.transferToAgent("other")
				.escalate(true)
				.build())
			.branch("a.b")
			.longRunningToolIds(Set.of("c1"))
			.turnComplete(true)
			.errorMessage("m")
			.build();
		this.service.appendEvent(session, sent).blockingGet();
		Event stored = get(session).events().get(0);
		equal(stored.author(), sent.author());
		equal(stored.invocationId(), sent.invocationId());
		equal(stored.timestamp(), sent.timestamp());
		equal(stored.branch(), sent.branch());
		equal(stored.longRunningToolIds(), sent.longRunningToolIds());
		equal(stored.turnComplete(), sent.turnComplete());
		equal(stored.errorMessage(), sent.errorMessage());
		equal(stored.actions().transferToAgent(), sent.actions().transferToAgent());
		equal(stored.actions().escalate(), sent.actions().escalate());
		equal(stored.actions().stateDelta().get("a"), Map.of("n", List.of(1, 2.5)));
		List<Part> parts = stored.content().get().parts().get();
		equal(parts.get(0).text().get(), "look");
		check(Arrays.equals(parts.get(1).inlineData().get().data().get(), PIXEL), "another image");
		equal(parts.get(2).functionCall().get().id().get(), "c1");
		equal(parts.get(2).functionCall().get().name().get(), "f_g");
		check(parts.get(2).functionCall().get().args().get().containsKey("some_key"), "no argument");
	}

	private void manyEvents() {
		Session session = create("alice", Map.of());
		for (int number = 0; number < 250; number++) {
			this.service.appendEvent(session, event(number).build()).blockingGet();
		}
		List<String> texts = get(session).events().stream().map((event) -> event.content().get().text()).toList();
		equal(texts, IntStream.range(0, 250).mapToObj((number) -> "message " + number).toList());
		equal(invocations(session, GetSessionConfig.builder().numRecentEvents(3).build()),
				List.of("i-247", "i-248", "i-249"));
		if (isOld()) {
			return;
		}
		Instant after = Instant.ofEpochMilli(START + 248_000);
		List<String> since = invocations(session, GetSessionConfig.builder().afterTimestamp(after).build());
		check(since.contains("i-249") && since.size() <= 2, since.toString());
	}

	private void sharedState() {
		String user = "sharing-" + this.version;
		Session first = create(user, Map.of());
		Session second = create(user, Map.of());
		this.service
			.appendEvent(first, event(1, new HashMap<>(Map.of("app:j", 1, "user:u", 2, "own", 3, "temp:t", 4))).build())
			.blockingGet();
		Map<String, Object> state = get(second).state();
		equal(state.get("app:j"), 1);
		equal(state.get("user:u"), 2);
		equal(state.containsKey("own"), false);
		equal(get(first).state().containsKey("temp:t"), false);
		equal(get(create(user + "-other", Map.of())).state().containsKey("user:u"), false);
	}

	private void removedKey() {
		Session session = create("alice", Map.of("k", 1, "user:gone", 1));
		Map<String, Object> delta = new HashMap<>(
				Map.of("k", State.REMOVED, "user:gone", State.REMOVED, "kept", Map.of("n", 1)));
		this.service.appendEvent(session, event(1, delta).build()).blockingGet();
		Session stored = get(session);
		equal(stored.state().containsKey("k"), false);
		equal(stored.state().containsKey("user:gone"), false);
		equal(stored.state().get("kept"), Map.of("n", 1));
	}

	private void oddUser() {
		String user = isOld() ? "user 1" : ODD_USER;
		Session session = create(user, Map.of());
		equal(get(session).userId(), user);
		check(ids(user).contains(session.id()), "not in the list");
		check(!ids(user).contains(create("alice", Map.of()).id()), "somebody else's in the list");
	}

	private void wrongUser() {
		Session session = create("alice", Map.of());
		if (!isOld()) {
			check(find(session.id(), "mallory").isEmpty(), "not hidden");
		}
		check(find(session.id(), "alice").isPresent(), "not found");
	}

	private void missing() {
		check(find("none", "alice").isEmpty(), "found");
		if (!isOld()) {
			this.service.deleteSession(ENGINE, "alice", "none").blockingAwait();
		}
	}

	private void trailingSlash() {
		VertexAiSessionService slash = Quickstart.agentSessions(URL + "/");
		Session session = slash.createSession(ENGINE, "alice", new ConcurrentHashMap<>(), null).blockingGet();
		slash.appendEvent(session, event(1).build()).blockingGet();
		equal(slash.getSession(ENGINE, "alice", session.id(), Optional.empty()).blockingGet().events().size(), 1);
	}

	private void leaveSomething() {
		Session session = create("shared", Map.of());
		Event event = event(1, new HashMap<>(Map.of("app:from-java", "j", "user:from-java", "j")))
			.content(Content.builder()
				.role("user")
				.parts(List.of(Part.fromText("from java"),
						Part.builder().inlineData(Blob.builder().data(PIXEL).mimeType("image/png").build()).build(),
						Part.builder().functionCall(FunctionCall.builder().id("c1").name("f").args(Map.of("k", 1)).build()).build()))
				.build())
			.build();
		this.service.appendEvent(session, event).blockingGet();
	}

	private void readOthers() {
		List<String> languages = List.of(System.getenv("CONFORMANCE_LANGUAGES").split(" "));
		Set<String> texts = new HashSet<>();
		Set<String> calls = new HashSet<>();
		List<byte[]> blobs = new ArrayList<>();
		for (String id : ids("shared")) {
			Session session = find(id, "shared").orElseThrow();
			languages.forEach((language) -> {
				equal(session.state().get("app:from-" + language), language.substring(0, 1));
				equal(session.state().get("user:from-" + language), language.substring(0, 1));
			});
			session.events().stream().flatMap((event) -> event.content().get().parts().get().stream()).forEach((part) -> {
				part.text().ifPresent(texts::add);
				part.inlineData().flatMap(Blob::data).ifPresent(blobs::add);
				part.functionCall().flatMap(FunctionCall::name).ifPresent(calls::add);
			});
		}
		languages.forEach((language) -> check(texts.contains("from " + language), "nothing from " + language));
		check(!languages.contains("rust") || calls.contains("rust_tool"), "no tool call of Rust: " + calls);
		check(!blobs.isEmpty() && blobs.stream().allMatch((blob) -> Arrays.equals(blob, PIXEL)), "another image");
	}

	/**
	 * Whether the client neither encodes filters, nor looks whose session it has, nor asks
	 * for the events since a time.
	 */
	private boolean isOld() {
		return this.version.equals("1.4.0");
	}

	private Session create(String user, Map<String, Object> state) {
		return this.service.createSession(ENGINE, user, new ConcurrentHashMap<>(state), null).blockingGet();
	}

	private Session get(Session session) {
		return find(session.id(), session.userId()).orElseThrow();
	}

	private Optional<Session> find(String id, String user) {
		return Optional.ofNullable(this.service.getSession(ENGINE, user, id, Optional.empty()).blockingGet());
	}

	private List<String> ids(String user) {
		return this.service.listSessions(ENGINE, user).blockingGet().sessions().stream().map(Session::id).toList();
	}

	private List<String> invocations(Session session, GetSessionConfig config) {
		return this.service.getSession(ENGINE, "alice", session.id(), Optional.of(config))
			.blockingGet()
			.events()
			.stream()
			.map(Event::invocationId)
			.toList();
	}

	private static Event.Builder event(int number) {
		return event(number, new HashMap<>());
	}

	private static Event.Builder event(int number, Map<String, Object> delta) {
		return Event.builder()
			.id(Event.generateEventId())
			.author("user")
			.invocationId("i-" + number)
			.timestamp(START + number * 1000L)
			.content(Content.fromParts(Part.fromText("message " + number)))
			.actions(EventActions.builder().stateDelta(new ConcurrentHashMap<>(delta)).build());
	}

}
