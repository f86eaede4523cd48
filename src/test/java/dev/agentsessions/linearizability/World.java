package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * What clients share: an app, the ids of its sessions, and the record of what they did.
 *
 * @param app the app
 * @param mix what clients do most
 * @param slots the ids
 * @param recorder the record
 * @param forks further ids, of forks that clients write to
 * @param forksToBe the same, and those that do not exist yet
 * @param rewinds the token of the first event that each rewind takes back, by its id
 * @param forgotten what no search finds any more
 */
record World(String app, Mix mix, List<Slot> slots, Recorder recorder, Queue<Slot> forks, Queue<Slot> forksToBe,
		Map<String, String> rewinds, Forgotten forgotten) {

	static final List<String> USERS = List.of("u-a", "u-b");

	/** An app where nobody has been. */
	static World of(String app, Mix mix) {
		return new World(app, mix, mix.newSlots(), new Recorder(), new ConcurrentLinkedQueue<>(),
				new ConcurrentLinkedQueue<>(), new ConcurrentHashMap<>(), new Forgotten());
	}

	/** All ids under which there may be a session that is known. */
	List<Slot> allSlots() {
		return Stream.concat(this.slots.stream(), this.forks.stream()).toList();
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
