package myagent;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.agentsessions.client.AgentSessionService;

/** The shortest program whose sessions live in Agent Sessions. */
public class Quickstart {

	public static void main(String[] args) {
		AgentSessionService sessions = new AgentSessionService(); // $AGENT_SESSIONS_URL, or http://localhost:8080
		Session session = sessions
			.createSession("my-app", "alice", new ConcurrentHashMap<>(Map.of("user:name", "Alice")), null)
			.blockingGet();
		Event hello = Event.builder()
			.author("user")
			.invocationId("i-1")
			.content(Content.fromParts(Part.fromText("Hello")))
			.actions(EventActions.builder().stateDelta(new ConcurrentHashMap<>(Map.of("topic", "greeting"))).build())
			.build();
		sessions.appendEvent(session, hello).blockingGet();
		Session stored = sessions.getSession("my-app", "alice", session.id(), Optional.empty()).blockingGet();
		System.out.println(stored.state().get("topic") + " " + stored.events().size() + " event");
	}

}
