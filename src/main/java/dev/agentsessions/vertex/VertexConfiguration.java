package dev.agentsessions.vertex;

import java.util.List;
import java.util.regex.Pattern;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.http.LargerBodies;

/** Teaches Spring MVC what this dialect has in its paths. */
@Configuration(proxyBeanMethods = false)
class VertexConfiguration implements WebMvcConfigurer {

	static final Pattern PATHS = Pattern.compile("/v1(beta1)?/.*");

	private final EngineResolver engines;

	VertexConfiguration(EngineResolver engines) {
		this.engines = engines;
	}

	@Bean
	static LargerBodies vertexBodies(VertexProperties properties) {
		return new LargerBodies(PATHS, properties.maxBodySize(), "agent-sessions.vertex.max-body-size");
	}

	@Override
	public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
		resolvers.add(this.engines);
	}

}
