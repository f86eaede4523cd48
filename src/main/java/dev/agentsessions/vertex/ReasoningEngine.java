package dev.agentsessions.vertex;

import dev.agentsessions.vertex.event.ApiVersion;

/**
 * The reasoning engine that a path names, and how this service calls what belongs to it.
 *
 * @param version the version of the API
 * @param project the text of the path
 * @param location the text of the path
 * @param id the text of the path
 * @param appName the app that the engine is here
 */
record ReasoningEngine(ApiVersion version, String project, String location, String id, String appName) {

	/** The project and the location. */
	String place() {
		return "projects/" + this.project + "/locations/" + this.location;
	}

	String name() {
		return place() + "/reasoningEngines/" + this.id;
	}

	String sessionName(String sessionId) {
		return name() + "/sessions/" + sessionId;
	}

	String eventName(String sessionId, String eventId) {
		return sessionName(sessionId) + "/events/" + eventId;
	}

}
