package dev.agentsessions.console;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.NoResourceFoundException;

import dev.agentsessions.console.session.EventViews;
import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;
import dev.agentsessions.web.ApiDialect;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.RequestId;

/**
 * Redirects {@code /} to the console, and responds with 404 to its paths while it is
 * disabled.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.SERVLET)
class ConsoleConfiguration implements WebMvcConfigurer, HandlerInterceptor {

	private final ConsoleAccess access;

	ConsoleConfiguration(ConsoleAccess access) {
		this.access = access;
	}

	@Override
	public void addViewControllers(ViewControllerRegistry registry) {
		registry.addRedirectViewController("/", this.access.isOn() ? ConsoleAccess.PATH : "/swagger-ui.html");
	}

	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(this).addPathPatterns(ConsoleAccess.PATH, ConsoleAccess.PATH + "/**");
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws NoResourceFoundException {
		if (!this.access.isOn()) {
			String path = request.getRequestURI();
			throw new NoResourceFoundException(HttpMethod.valueOf(request.getMethod()), path, path);
		}
		return true;
	}

	/** Responds 404 to console paths without a page. */
	@Controller
	static class UnknownPageController {

		@RequestMapping(ConsoleAccess.PATH + "/**")
		void refuse() {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such page");
		}

	}

	/**
	 * Describes the paths of the console to the filters. Its static files are public,
	 * because the sign-in form uses them.
	 */
	@Component
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class ConsoleDialect implements ApiDialect {

		private static final Pattern APP = Pattern.compile(ConsoleAccess.PATH + "/apps/([^/]+)");

		@Override
		public TranslationCost translationCost() {
			return EventViews.COST;
		}

		@Override
		public boolean owns(String path) {
			return ConsoleAccess.owns(path);
		}

		@Override
		public Optional<String> appName(String path) {
			Matcher app = APP.matcher(path);
			return app.lookingAt() ? Optional.of(app.group(1)) : Optional.empty();
		}

		@Override
		public List<String> publicPaths() {
			return List.of(ConsoleAccess.FILES + "**");
		}

		@Override
		public ProblemDetail error(HttpStatusCode status, String detail, String requestId) {
			ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
			problem.setProperty(RequestId.NAME, requestId);
			return problem;
		}

	}

}
