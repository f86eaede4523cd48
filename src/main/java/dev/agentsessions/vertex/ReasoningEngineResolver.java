package dev.agentsessions.vertex;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

import dev.agentsessions.vertex.event.ApiVersion;
import dev.agentsessions.web.PathVariables;

/** Resolves controller parameters of type {@link ReasoningEngine} from the path. */
@Component
public class ReasoningEngineResolver implements HandlerMethodArgumentResolver {

	/** The path of an engine. */
	public static final String PATH = ApiVersion.PATTERN
			+ "/projects/{project}/locations/{location}/reasoningEngines/{engine}";

	/** The path of an engine in express mode. */
	public static final String EXPRESS_PATH = ApiVersion.PATTERN + "/reasoningEngines/{engine}";

	private final ReasoningEngines engines;

	ReasoningEngineResolver(ReasoningEngines engines) {
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
