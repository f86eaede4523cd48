package dev.agentsessions.web.direct;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Finds the direct route of a request in the plain form. It comes before Spring MVC's own
 * mapping, which gets all other requests. The plain form leaves nothing for the
 * interceptors of the other mapping to refuse.
 */
@Component
@ConditionalOnWebApplication
class DirectMapping implements HandlerMapping, Ordered {

	/** By method and rest of the path. */
	private final Map<String, DirectRoute> routes;

	private final JsonMessages messages;

	DirectMapping(List<DirectRoute> routes, JsonMessages messages) {
		this.routes = routes.stream()
			.collect(Collectors.toUnmodifiableMap((route) -> route.method() + route.subpath(), Function.identity()));
		this.messages = messages;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public @Nullable HandlerExecutionChain getHandler(HttpServletRequest request) {
		SessionNames names = SessionNames.of(request.getRequestURI().substring(request.getContextPath().length()));
		DirectRoute route = (names != null) ? this.routes.get(request.getMethod() + names.subpath()) : null;
		if (names == null || route == null || !PlainRequest.hasPlainHeaders(request, route)) {
			return null;
		}
		Map<String, String> parameters = PlainRequest.parameters(request.getQueryString(), route.parameters());
		if (parameters == null) {
			return null;
		}
		request.setAttribute(BEST_MATCHING_PATTERN_ATTRIBUTE, route.pattern());
		request.setAttribute(URI_TEMPLATE_VARIABLES_ATTRIBUTE, names.variables());
		return new HandlerExecutionChain(handler(route, names, parameters));
	}

	private HttpRequestHandler handler(DirectRoute route, SessionNames names, Map<String, String> parameters) {
		return (request, response) -> this.messages.write(response, route.action()
			.respond(
					new DirectRequest(request, names, parameters, route.hasJson() ? this.messages.read(request) : null),
					response));
	}

}
