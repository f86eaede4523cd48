package dev.agentsessions.adk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Resolves controller parameters of type {@link Preconditions}, and documents what they
 * are made of.
 */
class PreconditionsResolver implements HandlerMethodArgumentResolver, OperationCustomizer {

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == Preconditions.class;
	}

	@Override
	public Preconditions resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
			NativeWebRequest request, @Nullable WebDataBinderFactory binderFactory) {
		return Preconditions.of(Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class)));
	}

	/** Adds the parameters after the parameters of the path. */
	@Override
	public Operation customize(Operation operation, HandlerMethod method) {
		if (Arrays.stream(method.getMethodParameters()).anyMatch(this::supportsParameter)) {
			List<Parameter> parameters = new ArrayList<>(
					Objects.requireNonNullElse(operation.getParameters(), List.of()));
			long inPath = parameters.stream().filter((parameter) -> parameter.getIn().equals("path")).count();
			parameters.addAll((int) inPath, documented());
			operation.setParameters(parameters);
		}
		return operation;
	}

	private static List<Parameter> documented() {
		Stream<Parameter> headers = Preconditions.HEADERS.stream()
			.map((name) -> new HeaderParameter().name(name).required(false));
		Parameter lastUpdateTime = new QueryParameter().name(Preconditions.LAST_UPDATE_TIME)
			.required(false)
			.schema(new StringSchema());
		return Stream.concat(headers, Stream.of(lastUpdateTime)).toList();
	}

}
