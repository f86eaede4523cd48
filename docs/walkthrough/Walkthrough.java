import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The life of a session, in Java 17 or newer, without any library.
 *
 * <pre>java Walkthrough.java [address of the service]</pre>
 */
class Walkthrough {

	private static final String SESSIONS = "/apps/travel/users/alice/sessions";

	private final HttpClient http = HttpClient.newHttpClient();

	private final String service;

	Walkthrough(String service) {
		this.service = service;
	}

	public static void main(String[] args) throws Exception {
		String service = Optional.ofNullable(System.getenv("AGENT_SESSIONS_URL")).orElse("http://localhost:8080");
		new Walkthrough((args.length > 0) ? args[0] : service).run();
	}

	private void run() throws Exception {
		Session first = create("""
				{"app:theme": "dark", "user:name": "Alice", "user:language": "en",
				 "topic": "a trip to Kyoto", "turns": 0, "temp:trace": "7f3a"}""");
		first = append(first, (session) -> say("concierge", "Spring or autumn?", """
				{"turns": %d, "user:language": "ja"}""".formatted(session.turns() + 1)));
		System.out.println("the first session is at revision " + first.revision());

		Session second = create("{}");
		System.out.println("the second session knows: " + render(second, "{user:name}, {user:language}, {app:theme}"));

		// Another process reads the first session and appends before this one does
		append(read(first.id()), (session) -> say("user", "Autumn, please", """
				{"turns": %d}""".formatted(session.turns() + 1)));
		first = append(first, (session) -> say("concierge", "Let us look for a hotel", """
				{"turns": %d, "step": "find_hotel"}""".formatted(session.turns() + 1)));
		System.out.println("the first session is at revision " + first.revision() + ", after " + first.turns() + " turns");

		System.out.println(render(first, "You are helping {user:name} with {topic}. Next step: {step}."));
		succeed(send("DELETE", SESSIONS + "/" + first.id(), "", ""));
		succeed(send("DELETE", SESSIONS + "/" + second.id(), "", ""));
		System.out.println("both sessions are deleted");
	}

	/** Creates a session. The service chooses the id. */
	private Session create(String state) throws Exception {
		return Session.of(succeed(send("POST", SESSIONS, """
				{"state": %s}""".formatted(state), "")));
	}

	/** Reads a session: its state, its events and its entity tag, all of one moment. */
	private Session read(String sessionId) throws Exception {
		return Session.of(succeed(send("GET", SESSIONS + "/" + sessionId, "", "")));
	}

	/** Appends the event that makeEvent returns. After a 412, reads the session again and calls makeEvent again. */
	private Session append(Session session, Function<Session, String> makeEvent) throws Exception {
		String event = makeEvent.apply(session);
		HttpResponse<String> response = send("POST", SESSIONS + "/" + session.id() + "/events", event, session.tag());
		if (response.statusCode() != 412) {
			succeed(response);
			return read(session.id());
		}
		Session now = read(session.id());
		List<String> texts = now.texts();
		texts.subList(session.texts().size(), texts.size()).forEach((text) -> System.out.println("missed: " + text));
		return append(now, makeEvent);
	}

	private static String say(String author, String text, String stateDelta) {
		return """
				{"author": "%s", "content": {"role": "%s", "parts": [{"text": "%s"}]}, "actions": {"stateDelta": %s}}"""
			.formatted(author, author.equals("user") ? "user" : "model", text, stateDelta);
	}

	private String render(Session session, String template) throws Exception {
		return Session.field(succeed(send("POST", SESSIONS + "/" + session.id() + ":render", """
				{"template": "%s"}""".formatted(template), "")).body(), "text");
	}

	private HttpResponse<String> send(String method, String path, String body, String ifMatch) throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.service + path))
			.header("Content-Type", "application/json")
			.method(method, BodyPublishers.ofString(body));
		if (!ifMatch.isEmpty()) {
			request.header("If-Match", ifMatch);
		}
		return this.http.send(request.build(), BodyHandlers.ofString());
	}

	private static HttpResponse<String> succeed(HttpResponse<String> response) throws IOException {
		if (response.statusCode() >= 300) {
			throw new IOException(response.request().uri() + " returned " + response.statusCode() + " " + response.body());
		}
		return response;
	}

	/** A session as it was read. A real program reads the JSON with a library. */
	private record Session(String tag, String json) {

		static Session of(HttpResponse<String> response) {
			return new Session(response.headers().firstValue("ETag").orElseThrow(), response.body());
		}

		String id() {
			return field(this.json, "id");
		}

		long turns() {
			return Long.parseLong(field(this.json, "turns"));
		}

		/** Returns the part of the tag before the first point. */
		String revision() {
			return this.tag.replaceAll("\"(\\d+).*", "$1");
		}

		/** Returns the texts of all events. */
		List<String> texts() {
			return fields(this.json, "text");
		}

		static String field(String json, String name) {
			return fields(json, name).get(0);
		}

		private static List<String> fields(String json, String name) {
			return Pattern.compile("\"" + name + "\":\\s*(\"[^\"]*\"|\\d+)")
				.matcher(json)
				.results()
				.map((match) -> match.group(1).replace("\"", ""))
				.toList();
		}

	}

}
