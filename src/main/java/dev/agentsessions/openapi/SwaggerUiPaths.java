package dev.agentsessions.openapi;

import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * Answers 404 for files that the Swagger UI does not have. Otherwise each requested name
 * would stay in memory, in the resource cache and among the locks of the class loader.
 */
@Component
class SwaggerUiPaths implements HandlerInterceptor, WebMvcConfigurer {

	private static final String FOLDER = "/swagger-ui/";

	private static final String FILES = "classpath*:/META-INF/resources/webjars/swagger-ui/*/*.*";

	private final Set<String> names;

	SwaggerUiPaths() throws IOException {
		this.names = Stream.of(new PathMatchingResourcePatternResolver().getResources(FILES))
			.map(Resource::getFilename)
			.collect(Collectors.toUnmodifiableSet());
	}

	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(this);
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
			throws NoResourceFoundException {
		String path = request.getRequestURI();
		if (handler instanceof ResourceHttpRequestHandler && !isKnown(path)) {
			throw new NoResourceFoundException(HttpMethod.valueOf(request.getMethod()), path, path);
		}
		return true;
	}

	private boolean isKnown(String path) {
		return path.startsWith(FOLDER) && this.names.contains(path.substring(FOLDER.length()));
	}

}
