package dev.agentsessions.vertex;

import java.util.List;

import org.springdoc.core.models.GroupedOpenApi;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.openapi.ApiDocument;

/**
 * Registers the resolver of reasoning engines, and the OpenAPI document of this dialect.
 */
@Configuration(proxyBeanMethods = false)
class VertexConfiguration implements WebMvcConfigurer {

	static {
		SpringDocUtils.getConfig().addRequestWrapperToIgnore(ReasoningEngine.class);
	}

	private final ReasoningEngineResolver engines;

	VertexConfiguration(ReasoningEngineResolver engines) {
		this.engines = engines;
	}

	@Override
	public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
		resolvers.add(this.engines);
	}

	@Bean
	GroupedOpenApi vertexApi(BuildProperties build) {
		ApiDocument document = new ApiDocument(new ClassPathResource("openapi/vertex.yaml"), build.getVersion());
		return GroupedOpenApi.builder()
			.group("vertex")
			.displayName("Vertex AI")
			.packagesToScan(getClass().getPackageName())
			.addOpenApiCustomizer(new VertexOpenApiPaths(document))
			.build();
	}

}
