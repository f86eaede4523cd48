package dev.agentsessions.web;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.UriComponentsBuilder;

import dev.agentsessions.session.SessionName;

/**
 * Builds the path of a session, without a host: only the caller knows the name under
 * which it reaches the service.
 */
public final class SessionPath {

	private SessionPath() {
	}

	/** Returns the path of a session, with its names percent-encoded. */
	public static String of(SessionName name, HttpServletRequest request) {
		return UriComponentsBuilder.fromPath(request.getContextPath() + "/apps/{app}/users/{user}/sessions/{session}")
			.encode()
			.build()
			.expand(name.appName(), name.userId(), name.sessionId())
			.toUriString();
	}

	/** Resolves controller parameters of type {@link SessionName} from the path. */
	@Component
	public static class Resolver implements HandlerMethodArgumentResolver, WebMvcConfigurer {

		private static final List<String> NAMES = List.of("appName", "userId", "sessionId");

		@Override
		public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
			resolvers.add(this);
		}

		@Override
		public boolean supportsParameter(MethodParameter parameter) {
			return parameter.getParameterType() == SessionName.class;
		}

		@Override
		public SessionName resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
				NativeWebRequest request, @Nullable WebDataBinderFactory binderFactory) {
			Map<String, String> path = PathVariables.of(request);
			List<String> names = NAMES.stream().map((name) -> PathVariables.required(path, name)).toList();
			return new SessionName(names.get(0), names.get(1), names.get(2));
		}

	}

	/** The names in the path of a request. */
	public static final class PathVariables {

		private PathVariables() {
		}

		/**
		 * Returns the decoded names by their variables in the pattern of the route; none
		 * if there is no route. An encoded slash is part of a name and does not separate
		 * names.
		 */
		@SuppressWarnings("unchecked")
		public static Map<String, String> of(HttpServletRequest request) {
			Object names = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
			return (names != null) ? (Map<String, String>) names : Map.of();
		}

		/**
		 * Returns the names in the path of a request, as {@link #of(HttpServletRequest)}.
		 */
		public static Map<String, String> of(NativeWebRequest request) {
			return of(Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class)));
		}

		/** Returns a name that all paths of a controller have. */
		public static String required(Map<String, String> names, String variable) {
			return Objects.requireNonNull(names.get(variable));
		}

	}

}
