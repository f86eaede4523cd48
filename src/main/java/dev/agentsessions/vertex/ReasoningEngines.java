package dev.agentsessions.vertex;

import org.springframework.stereotype.Component;

import dev.agentsessions.vertex.event.ApiVersion;

/** Maps reasoning engines to apps. */
@Component
class ReasoningEngines {

	private final VertexProperties properties;

	ReasoningEngines(VertexProperties properties) {
		this.properties = properties;
	}

	String appName(String engineId) {
		return this.properties.apps().getOrDefault(engineId, engineId);
	}

	ReasoningEngine engine(ApiVersion version, String project, String location, String id) {
		return new ReasoningEngine(version, project, location, id, appName(id));
	}

	/**
	 * Returns an engine that the path names without project and location (express mode).
	 */
	ReasoningEngine engine(ApiVersion version, String id) {
		return engine(version, this.properties.project(), this.properties.location(), id);
	}

}
