package dev.agentsessions.web;

import java.util.List;
import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
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

}
