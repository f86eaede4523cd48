package dev.agentsessions.history;

import java.util.List;

/**
 * What clients share: an app, the ids of its sessions, and the record of what they did.
 *
 * @param app the app
 * @param mix what clients do most
 * @param slots the ids
 * @param recorder the record
 */
record World(String app, Mix mix, List<Slot> slots, Recorder recorder) {

	static final List<String> USERS = List.of("u-a", "u-b");

	/** An app where nobody has been. */
	static World of(String app, Mix mix) {
		return new World(app, mix, mix.newSlots(), new Recorder());
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
