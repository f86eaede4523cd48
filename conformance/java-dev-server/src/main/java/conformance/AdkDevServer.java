package conformance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Drives ADK's dev server over its own HTTP API and looks into the service behind it. Each call of this program is a new
 * process of the dev server.
 */
public class AdkDevServer {

	private static final String SERVICE = System.getenv("AGENT_SESSIONS_URL");

	private static final String TALKER = "/apps/" + Counter.NAME + "/users/dev-talker/sessions";

	private static final String ALICE = "/apps/" + Counter.NAME + "/users/dev-alice/sessions";

	private final HttpClient http = HttpClient.newHttpClient();

	private final ObjectMapper json = new ObjectMapper();

	private final String devServer;

	private int passed;

	private int failed;

	AdkDevServer(String devServer) {
		this.devServer = devServer;
	}

	public static void main(String[] args) {
		ConfigurableApplicationContext context = DevServer.start("--server.port=0", "--server.address=127.0.0.1",
				"--spring.main.banner-mode=off", "--logging.level.root=error");
		String port = context.getEnvironment().getProperty("local.server.port");
		AdkDevServer adk = new AdkDevServer("http://127.0.0.1:" + port);
		switch (args[1]) {
			case "before" -> adk.before();
			case "again" -> adk.run("goes on after a restart of the dev server", () -> adk.talk("/run_sse", 2));
			default -> adk.run("goes on after a restart of the service", () -> adk.talk("/run", 3));
		}
		System.out.println("java google-adk-dev " + args[0] + " (" + args[1] + "): " + adk.passed + " passed, "
				+ adk.failed + " failed");
		System.exit(adk.failed == 0 ? 0 : 1);
	}

	private void before() {
		run("creates, reads, lists and deletes a session", this::lifecycle);
		run("creates a session with an id, once", this::ownId);
		run("misses what is not there", this::missing);
		run("reads what others wrote to the service", this::others);
		run("shows artifacts that others saved", this::artifacts);
		run("runs an agent", () -> {
			call(this.devServer, "POST", TALKER, Map.of("state", Map.of("greeting", "hello")), 200);
			talk("/run", 1);
		});
	}

	private void lifecycle() throws Exception {
		JsonNode created = call(this.devServer, "POST", ALICE, Map.of("state", Map.of("k", 1, "user:u", 2)), 200);
		String path = ALICE + "/" + created.path("id").asText();
		equal(created.path("state"), Map.of("k", 1, "user:u", 2));
		equal(call(this.devServer, "GET", path, null, 200).path("state"), Map.of("k", 1, "user:u", 2));
		equal(call(SERVICE, "GET", path, null, 200).path("state"), Map.of("k", 1, "user:u", 2));
		check(call(this.devServer, "GET", ALICE, null, 200).findValuesAsText("id").contains(created.path("id").asText()),
				"not in the list");
		call(this.devServer, "DELETE", path, null, 204);
		call(this.devServer, "GET", path, null, 404);
		call(SERVICE, "GET", path, null, 404);
	}

	private void ownId() throws Exception {
		String path = ALICE + "/dev-" + System.nanoTime();
		call(this.devServer, "POST", path, Map.of("state", Map.of("k", "v")), 200);
		call(this.devServer, "POST", path, Map.of("state", Map.of("k", "other")), 400);
		equal(call(SERVICE, "GET", path, null, 200).path("state").path("k"), "v");
	}

	private void missing() throws Exception {
		call(this.devServer, "GET", ALICE + "/none", null, 404);
		equal(call(this.devServer, "GET", "/apps/" + Counter.NAME + "/users/dev-nobody/sessions", null, 200), List.of());
	}

	private void others() throws Exception {
		String path = ALICE + "/" + call(SERVICE, "POST", ALICE, Map.of(), 200).path("id").asText();
		Map<String, Object> content = Map.of("role", "user", "parts", List.of(Map.of("text", "from elsewhere")));
		Map<String, Object> event = Map.of("author", "user", "invocationId", "i-1", "content", content, "actions",
				Map.of("stateDelta", Map.of("topic", "Kyoto")));
		call(SERVICE, "POST", path + "/events", event, 200);
		JsonNode read = call(this.devServer, "GET", path, null, 200);
		equal(read.path("state").path("topic"), "Kyoto");
		equal(read.at("/events/0/content/parts/0/text"), "from elsewhere");
	}

	private void artifacts() throws Exception {
		String path = ALICE + "/" + call(SERVICE, "POST", ALICE, Map.of(), 200).path("id").asText() + "/artifacts";
		for (String text : List.of("one", "two")) {
			call(SERVICE, "POST", path, Map.of("filename", "plan", "artifact", Map.of("text", text)), 200);
		}
		equal(call(this.devServer, "GET", path, null, 200), List.of("plan"));
		equal(call(this.devServer, "GET", path + "/plan/versions", null, 200), List.of(0, 1));
		equal(call(this.devServer, "GET", path + "/plan", null, 200).path("text"), "two");
		equal(call(this.devServer, "GET", path + "/plan/versions/0", null, 200).path("text"), "one");
	}

	/** One turn in the session of the talker, of which there is one. */
	private void talk(String route, int turn) throws Exception {
		JsonNode sessions = call(this.devServer, "GET", TALKER, null, 200);
		equal(sessions.size(), 1);
		String id = sessions.get(0).path("id").asText();
		Map<String, Object> message = Map.of("role", "user", "parts", List.of(Map.of("text", "How many?")));
		String answer = send(this.devServer, "POST", route, Map.of("appName", Counter.NAME, "userId", "dev-talker",
				"sessionId", id, "newMessage", message, "streaming", false), 200);
		check(answer.contains(turn + " so far"), answer);
		JsonNode shown = call(this.devServer, "GET", TALKER + "/" + id, null, 200);
		JsonNode stored = call(SERVICE, "GET", TALKER + "/" + id, null, 200);
		equal(shown.path("state"), stored.path("state"));
		equal(stored.path("state"),
				Map.of("greeting", "hello", "count", turn, "user:total", turn, "answer", turn + " so far"));
		equal(stored.path("events").size(), 4 * turn);
		equal(shown.path("events").findValuesAsText("text"), stored.path("events").findValuesAsText("text"));
	}

	private JsonNode call(String server, String method, String path, Object body, int status) throws Exception {
		return this.json.readTree(send(server, method, path, body, status));
	}

	private String send(String server, String method, String path, Object body, int status)
			throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(server + path))
			.header("Content-Type", "application/json")
			.method(method,
					(body != null) ? BodyPublishers.ofString(this.json.writeValueAsString(body)) : BodyPublishers.noBody())
			.build();
		HttpResponse<String> response = this.http.send(request, BodyHandlers.ofString());
		check(response.statusCode() == status, method + " " + path + ": " + response.statusCode() + " " + response.body());
		return response.body();
	}

	private void equal(Object actual, Object expected) {
		check(Objects.equals(this.json.valueToTree(actual), this.json.valueToTree(expected)),
				actual + " is not " + expected);
	}

	private static void check(boolean holds, String otherwise) {
		if (!holds) {
			throw new AssertionError(otherwise);
		}
	}

	private void run(String title, Case test) {
		try {
			test.run();
			this.passed++;
		}
		catch (Exception | AssertionError ex) {
			this.failed++;
			System.out.println("FAILED java google-adk-dev: " + title);
			ex.printStackTrace(System.out);
		}
	}

	private interface Case {

		void run() throws Exception;

	}

}
