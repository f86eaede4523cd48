import java.util.List;
import java.util.Map;

import adk.api.EventsApi;
import adk.api.SessionsApi;
import adk.model.AppendedEvent;
import adk.model.Content;
import adk.model.Event;
import adk.model.EventActions;
import adk.model.EventInput;
import adk.model.ProblemDetail;
import adk.model.Session;
import adk.model.SessionInput;

/** Uses the clients that openapi-generator has made for Java. */
public class Main {

	private static final String URL = System.getenv("AGENT_SESSIONS_URL");

	public static void main(String[] args) throws Exception {
		adkDialect();
		vertexDialect();
		System.out.println("generated/java: 2 passed, 0 failed");
	}

	private static void adkDialect() throws Exception {
		adk.ApiClient client = new adk.ApiClient().setBasePath(URL);
		SessionsApi sessions = new SessionsApi(client);
		EventsApi events = new EventsApi(client);
		Session created = sessions.createSession("generated", "java")
			.sessionInput(new SessionInput().putStateItem("user:name", "Alice"))
			.execute();
		check(created.getState().equals(Map.of("user:name", "Alice")), "created");

		EventInput event = new EventInput().author("user")
			.content(new Content().role("user").addPartsItem(Map.of("text", "Hello")))
			.actions(new EventActions().putStateDeltaItem("topic", "greeting"))
			.putAdditionalProperty("mood", "sunny");
		AppendedEvent appended = events.appendEvent("generated", "java", created.getId(), event).execute();
		check(appended.getRevision() == 1, "appended");
		check(appended.getEvent().getAdditionalProperty("mood").equals("sunny"), "kept");

		try {
			events.appendEvent("generated", "java", created.getId(), event).ifMatch("\"0\"").execute();
			check(false, "refused");
		}
		catch (adk.ApiException ex) {
			ProblemDetail problem = ProblemDetail.fromJson(ex.getResponseBody());
			check(ex.getCode() == 412 && problem.getCode() == ProblemDetail.CodeEnum.STALE_SESSION, "stale");
			check(problem.getRevision() == 1, "told why");
		}

		List<Event> listed = events.listEvents("generated", "java", created.getId()).execute().getEvents();
		check(listed.size() == 1 && listed.get(0).getId().equals(appended.getEvent().getId()), "listed");
		check(listed.get(0).getTimestamp() > 1e9, "listed with its time");

		Session session = sessions.getSession("generated", "java", created.getId()).includeRevision(true).execute();
		check(session.getState().get("topic").equals("greeting"), "read");
		check(session.getEvents().get(0).getAdditionalProperty("mood").equals("sunny"), "read with its events");
		check(session.getLastUpdateTime() > created.getLastUpdateTime() && session.getRevision() == 1, "read anew");

		sessions.deleteSession("generated", "java", created.getId()).ifMatch(session.getEtag()).execute();
	}

	private static void vertexDialect() throws Exception {
		vertex.ApiClient client = new vertex.ApiClient().setBasePath(URL);
		vertex.api.EventsApi events = new vertex.api.EventsApi(client);
		vertex.api.SessionApi session = new vertex.api.SessionApi(client);
		String[] name = new vertex.api.SessionsApi(client)
			.createSession("my-project", "local", "generated",
					new vertex.model.SessionInput().userId("java").putSessionStateItem("user:name", "Alice"))
			.execute()
			.getName()
			.split("/");
		String id = name[name.length - 3];

		events
			.appendEvent("my-project", "local", "generated", id,
					new vertex.model.EventInput().author("user")
						.actions(new vertex.model.Actions().putStateDeltaItem("topic", "greeting")))
			.execute();
		List<vertex.model.Event> listed = events.listEvents("my-project", "local", "generated", id)
			.execute()
			.getSessionEvents();
		check(listed.size() == 1 && listed.get(0).getTimestamp().getYear() > 2000, "listed");
		check(session.getSession("my-project", "local", "generated", id)
			.execute()
			.getSessionState()
			.get("topic")
			.equals("greeting"), "read");
		session.deleteSession("my-project", "local", "generated", id).execute();
	}

	private static void check(boolean holds, String what) {
		if (!holds) {
			throw new AssertionError(what);
		}
	}

}
