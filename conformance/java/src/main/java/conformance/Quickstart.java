package conformance;

import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.VertexAiSessionService;
import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.genai.types.Content;
import com.google.genai.types.HttpOptions;
import com.google.genai.types.Part;

/** The shortest program whose sessions live in Agent Sessions. */
public class Quickstart {

	static VertexAiSessionService agentSessions(String url) {
		AccessToken token = new AccessToken("any-token", Date.from(Instant.now().plusSeconds(3600)));
		return new VertexAiSessionService("my-project", "local", GoogleCredentials.create(token),
				HttpOptions.builder().baseUrl(url).build());
	}

	public static void main(String[] args) {
		String url = System.getenv().getOrDefault("AGENT_SESSIONS_URL", "http://localhost:8080");
		VertexAiSessionService sessions = agentSessions(url);
		Session session = sessions
			.createSession("1234567890", "alice", new ConcurrentHashMap<>(Map.of("user:name", "Alice")), null)
			.blockingGet();
		Event hello = Event.builder()
			.id(Event.generateEventId())
			.author("user")
			.invocationId("i-1")
			.content(Content.fromParts(Part.fromText("Hello")))
			.actions(EventActions.builder().stateDelta(new ConcurrentHashMap<>(Map.of("topic", "greeting"))).build())
			.build();
		sessions.appendEvent(session, hello).blockingGet();
		Session stored = sessions.getSession("1234567890", "alice", session.id(), Optional.empty()).blockingGet();
		System.out.println(Map.copyOf(stored.state()) + " " + stored.events().get(0).content().get().text());
	}

}
