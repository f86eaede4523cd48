package dev.agentsessions.vertex;

import java.util.List;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Teaches Spring MVC what this dialect has in its paths. */
@Configuration(proxyBeanMethods = false)
class VertexConfiguration implements WebMvcConfigurer {

	private final EngineResolver engines;

	VertexConfiguration(EngineResolver engines) {
		this.engines = engines;
	}

	@Override
	public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
		resolvers.add(this.engines);
	}

}
