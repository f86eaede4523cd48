package dev.agentsessions.session.contract;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.NewEvent.StateDeltas;
import dev.agentsessions.session.lifecycle.CreateSession;

/** Sessions for tests, each in an app of its own, so that tests can share a store. */
public final class Sessions {

	private static final String USER = "alice";

	/** Characters of four bytes each in UTF-8. */
	private static final int FIRST_LONG = 0x20000;

	private static final int LAST_LONG = 0x2A000;

	private Sessions() {
	}

	/** An app name that no other test uses. */
	public static String newApp() {
		return "app-" + UUID.randomUUID();
	}

	/** A name that is as long as a name can be, and that no compression shortens. */
	public static String longName() {
		return new Random().ints(Identifiers.MAX_CODE_POINTS, FIRST_LONG, LAST_LONG)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	/** The key of a session in an app of its own. */
	public static SessionName newKey() {
		return new SessionName(newApp(), USER, "s1");
	}

	/** The key of another session of the same user. */
	public static SessionName sibling(SessionName name, String sessionId) {
		return new SessionName(name.appName(), name.userId(), sessionId);
	}

	/** The key of a session with the same id that belongs to another user. */
	public static SessionName ofUser(SessionName name, String userId) {
		return new SessionName(name.appName(), userId, name.sessionId());
	}

	/** A request for an empty session. */
	public static CreateSession empty(SessionName name) {
		return with(name, "{}");
	}

	/** A request for a session with a state and events, all in JSON. */
	public static CreateSession with(SessionName name, String state, String... events) {
		List<NewEvent> first = Stream.of(events).map(Events::event).toList();
		return new CreateSession(name, StateDeltas.of(JsonObject.parse(state)), first, SessionDetails.NONE);
	}

	/** A request for a session that people call something. */
	public static CreateSession called(SessionName name, String displayName, Map<String, String> labels) {
		CreateSession empty = empty(name);
		return new CreateSession(name, empty.state(), empty.events(), new SessionDetails(displayName, labels));
	}

	/** A request for a session that is gone from a time on. */
	public static CreateSession until(SessionName name, Instant expireTime) {
		CreateSession empty = empty(name);
		return new CreateSession(name, empty.state(), empty.events(), new SessionDetails(null, null, expireTime));
	}

	/** A state in JSON as a map. */
	public static Map<String, JsonText> state(String json) {
		return JsonObject.parse(json).members();
	}

}
