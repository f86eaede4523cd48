package dev.agentsessions.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.NoResourceFoundException;

import dev.agentsessions.web.ConsoleAccess;

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

}
