package dev.agentsessions.security.hostile;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * A query parameter of a route, as a controller declares it.
 *
 * @param method the method of a request to the route
 * @param path its path
 * @param name the name of the parameter
 */
record RouteParameter(String method, String path, String name) {

	private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	private static final Map<String, String> VARIABLES = Map.of("appName", "shop", "engine", "shop", "userId", "ann",
			"sessionId", "s1", "version:v1|v1beta1", "v1beta1");

	/** The parameters of all controllers, those of dialects and those of the console. */
	static List<RouteParameter> of(RequestMappingHandlerMapping mapping) {
		return mapping.getHandlerMethods()
			.entrySet()
			.stream()
			.flatMap((route) -> of(route.getKey(), route.getValue()))
			.sorted((one, other) -> one.toString().compareTo(other.toString()))
			.toList();
	}

	private static Stream<RouteParameter> of(RequestMappingInfo route, HandlerMethod handler) {
		return route.getPatternValues()
			.stream()
			.flatMap((pattern) -> route.getMethodsCondition()
				.getMethods()
				.stream()
				.flatMap((method) -> Stream.of(handler.getMethodParameters())
					.flatMap(RouteParameter::names)
					.map((name) -> new RouteParameter(method.name(), path(pattern), name))));
	}

	private static Stream<String> names(MethodParameter parameter) {
		RequestParam annotation = parameter.getParameterAnnotation(RequestParam.class);
		if (annotation != null) {
			parameter.initParameterNameDiscovery(NAMES);
			return Stream.of(StringUtils.hasText(annotation.name()) ? annotation.name() : parameter.getParameterName());
		}
		Class<?> type = parameter.getParameterType();
		return type.isRecord() && parameter.getParameterAnnotations().length == 0
				? Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName) : Stream.empty();
	}

	/** Returns the path of a session with these names, or the path above it. */
	static String path(String pattern) {
		String path = pattern;
		for (Map.Entry<String, String> variable : VARIABLES.entrySet()) {
			path = path.replace("{" + variable.getKey() + "}", variable.getValue());
		}
		return path.replaceAll("\\{[^}]+}|\\*\\*", "x");
	}

}
