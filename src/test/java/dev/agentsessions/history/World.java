package dev.agentsessions.history;

import java.util.ArrayList;
import java.util.List;

import dev.agentsessions.history.Slot.Kind;

/**
 * What clients share: an app, the ids of its sessions, and the record of what they did.
 *
 * @param app the app
 * @param slots the ids
 * @param recorder the record
 */
record World(String app, List<Slot> slots, Recorder recorder) {

	static final List<String> USERS = List.of("u-a", "u-b");

	/** An app where nobody has been. */
	static World of(String app) {
		List<Slot> slots = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			slots.add(new Slot("lasting-" + i, Kind.LASTING, List.of(USERS.get(i % 2))));
			slots.add(new Slot("ending-" + i, Kind.ENDING, List.of(USERS.get(i % 2))));
		}
		slots.add(new Slot("contested-0", Kind.CONTESTED, USERS));
		slots.add(new Slot("contested-1", Kind.CONTESTED, USERS));
		slots.add(new Slot("long-0", Kind.LONG, List.of(USERS.get(0))));
		return new World(app, slots, new Recorder());
	}

	/** The one whose sessions may be long. */
	Slot longest() {
		return this.slots.get(this.slots.size() - 1);
	}

	String session(Slot slot) {
		return sessions(slot.user()) + "/" + slot.id();
	}

	String sessions(String user) {
		return user(user) + "/sessions";
	}

	String user(String user) {
		return "/apps/" + this.app + "/users/" + user;
	}

	String state(String user, String prefix) {
		return prefix.equals("app:") ? "/apps/" + this.app + "/state" : user(user) + "/state";
	}

	/** Where the dialect of Vertex AI has them. */
	String vertexSessions() {
		return "/v1beta1/projects/p/locations/l/reasoningEngines/" + this.app + "/sessions";
	}

	String vertexSession(Slot slot) {
		return vertexSessions() + "/" + slot.id();
	}

}
