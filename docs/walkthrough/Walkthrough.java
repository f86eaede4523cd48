import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The life of a session, in Java 17 or newer, without any library.
 *
 * <pre>java Walkthrough.java [address of the service]</pre>
 */
class Walkthrough {

	private static final String SESSIONS = "/apps/travel/users/alice/sessions";

	/** The precondition that always holds. */
	private static final String ANY = "*";

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
		String first = create("""
				{"app:theme": "dark", "user:name": "Alice", "user:language": "en",
				 "topic": "a trip to Kyoto", "temp:trace": "7f3a"}""");
		long revision = append(first, 0, """
				{"author": "concierge", "content": {"role": "model", "parts": [{"text": "Spring or autumn?"}]},
				 "actions": {"stateDelta": {"user:language": "ja"}}}""");
		System.out.println("the first session is at revision " + revision);

		String second = create("{}");
		System.out.println("the second session knows: " + render(second, "{user:name}, {user:language}, {app:theme}"));

		append(first, revision, """
				{"author": "user", "content": {"role": "user", "parts": [{"text": "Autumn, please"}]}}""");
		revision = append(first, revision, """
				{"author": "concierge", "content": {"role": "model", "parts": [{"text": "Let us look for a hotel"}]},
				 "actions": {"stateDelta": {"step": "find_hotel"}}}""");
		System.out.println("the first session is at revision " + revision);

		System.out.println(render(first, "You are helping {user:name} with {topic}. Next step: {step}."));
		succeed(send("DELETE", SESSIONS + "/" + first, "", ANY));
		succeed(send("DELETE", SESSIONS + "/" + second, "", ANY));
		System.out.println("both sessions are deleted");
	}

	/** Creates a session and returns the id that the service gave it. */
	private String create(String state) throws Exception {
		return field(succeed(send("POST", SESSIONS, """
				{"state": %s}""".formatted(state), ANY)), "id");
	}

	/** Appends an event behind the revision that we know, and returns the new revision. */
	private long append(String sessionId, long revision, String event) throws Exception {
		HttpResponse<String> answer = send("POST", SESSIONS + "/" + sessionId + "/events", event,
				"\"" + revision + "\"");
		if (answer.statusCode() != 412) {
			return Long.parseLong(field(succeed(answer), "revision"));
		}
		String missed = succeed(send("GET", field(answer.body(), "missedEvents"), "", ANY));
		System.out.println("missed: " + field(missed, "text"));
		return append(sessionId, Long.parseLong(field(answer.body(), "revision")), event);
	}

	private String render(String sessionId, String template) throws Exception {
		return field(succeed(send("POST", SESSIONS + "/" + sessionId + ":render", """
				{"template": "%s"}""".formatted(template), ANY)), "text");
	}

	private HttpResponse<String> send(String method, String path, String body, String ifMatch) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.service + path))
			.header("Content-Type", "application/json")
			.header("If-Match", ifMatch)
			.method(method, BodyPublishers.ofString(body))
			.build();
		return this.http.send(request, BodyHandlers.ofString());
	}

	private static String succeed(HttpResponse<String> answer) throws IOException {
		if (answer.statusCode() >= 300) {
			throw new IOException(answer.request().uri() + " answered " + answer.statusCode() + " " + answer.body());
		}
		return answer.body();
	}

	/** The first field of this name. A real program has a JSON library for that. */
	private static String field(String json, String name) {
		return Pattern.compile("\"" + name + "\":\\s*(\"[^\"]*\"|\\d+)")
			.matcher(json)
			.results()
			.map((match) -> match.group(1).replace("\"", ""))
			.findFirst()
			.orElseThrow();
	}

}
