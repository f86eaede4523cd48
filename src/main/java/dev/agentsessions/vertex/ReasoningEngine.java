package dev.agentsessions.vertex;

import dev.agentsessions.vertex.event.ApiVersion;

/**
 * The reasoning engine that a path names. It makes the resource names of its sessions and
 * events.
 *
 * @param version the version of the API
 * @param project the project in the path, or the configured one in express mode
 * @param location the location in the path, or the configured one in express mode
 * @param id the id of the engine in the path
 * @param appName the app of the engine in this service
 */
public record ReasoningEngine(ApiVersion version, String project, String location, String id, String appName) {

	/** Returns the resource name of the location. */
	public String locationName() {
		return "projects/" + this.project + "/locations/" + this.location;
	}

	public String name() {
		return locationName() + "/reasoningEngines/" + this.id;
	}

	String sessionName(String sessionId) {
		return name() + "/sessions/" + sessionId;
	}

	String eventName(String sessionId, String eventId) {
		return sessionName(sessionId) + "/events/" + eventId;
	}

}
