package dev.agentsessions.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.PathParameter;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.session.SessionKey;

/**
 * Resolves controller parameters of type {@link SessionKey} from the path, and documents
 * the names that the path has.
 */
@Component
public class SessionKeyResolver implements HandlerMethodArgumentResolver, OperationCustomizer, WebMvcConfigurer {

	private static final List<String> NAMES = List.of("appName", "userId", "sessionId");

	@Override
	public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
		resolvers.add(this);
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == SessionKey.class;
	}

	@Override
	public SessionKey resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
			NativeWebRequest request, @Nullable WebDataBinderFactory binderFactory) {
		Map<String, String> path = PathVariables.of(request);
		List<String> names = NAMES.stream().map((name) -> PathVariables.required(path, name)).toList();
		return new SessionKey(names.get(0), names.get(1), names.get(2));
	}

	/** Adds the names before all other parameters. */
	@Override
	public Operation customize(Operation operation, HandlerMethod method) {
		if (Arrays.stream(method.getMethodParameters()).anyMatch(this::supportsParameter)) {
			List<Parameter> parameters = new ArrayList<>();
			NAMES.forEach((name) -> parameters.add(new PathParameter().name(name).schema(new StringSchema())));
			parameters.addAll(Objects.requireNonNullElse(operation.getParameters(), List.of()));
			operation.setParameters(parameters);
		}
		return operation;
	}

}
