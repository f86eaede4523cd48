package dev.agentsessions.vertex;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

import dev.agentsessions.vertex.VertexConfiguration.VertexProperties;
import dev.agentsessions.vertex.event.WireEvents.ApiVersion;
import dev.agentsessions.web.SessionPath.PathVariables;

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

	/** The path of an engine. */
	public static final String PATH = ApiVersion.PATTERN
			+ "/projects/{project}/locations/{location}/reasoningEngines/{engine}";

	/** The path of an engine in express mode. */
	public static final String EXPRESS_PATH = ApiVersion.PATTERN + "/reasoningEngines/{engine}";

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

	/** Resolves controller parameters of type {@link ReasoningEngine} from the path. */
	@Component
	public static class Resolver implements HandlerMethodArgumentResolver {

		private final ReasoningEngines engines;

		Resolver(ReasoningEngines engines) {
			this.engines = engines;
		}

		@Override
		public boolean supportsParameter(MethodParameter parameter) {
			return parameter.getParameterType() == ReasoningEngine.class;
		}

		@Override
		public ReasoningEngine resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
				NativeWebRequest request, @Nullable WebDataBinderFactory binderFactory) {
			Map<String, String> path = PathVariables.of(request);
			ApiVersion version = ApiVersion.of(PathVariables.required(path, "version"));
			String engine = PathVariables.required(path, "engine");
			return path.containsKey("project") ? this.engines.engine(version, PathVariables.required(path, "project"),
					PathVariables.required(path, "location"), engine) : this.engines.engine(version, engine);
		}

	}

	/** Maps reasoning engines to apps. */
	@Component
	static class ReasoningEngines {

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
		 * Returns an engine that the path names without project and location (express
		 * mode).
		 */
		ReasoningEngine engine(ApiVersion version, String id) {
			return engine(version, this.properties.project(), this.properties.location(), id);
		}

	}

}
