package dev.agentsessions.vertex;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerMapping;

import dev.agentsessions.vertex.event.ApiVersion;

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
		Map<String, String> path = pathVariables(request);
		ApiVersion version = ApiVersion.of(variable(path, "version"));
		String engine = variable(path, "engine");
		return path.containsKey("project")
				? this.engines.engine(version, variable(path, "project"), variable(path, "location"), engine)
				: this.engines.engine(version, engine);
	}

	/** All path patterns with an engine have these variables. */
	private static String variable(Map<String, String> path, String name) {
		return Objects.requireNonNull(path.get(name));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> pathVariables(NativeWebRequest request) {
		return (Map<String, String>) Objects.requireNonNull(
				request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, RequestAttributes.SCOPE_REQUEST));
	}

}
