package dev.agentsessions.vertex;

import org.springdoc.core.models.GroupedOpenApi;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;

import dev.agentsessions.openapi.ApiDocument;

/** Serves the OpenAPI document of the dialect. */
@Configuration(proxyBeanMethods = false)
class VertexApiConfiguration {

	static {
		SpringDocUtils.getConfig().addRequestWrapperToIgnore(Engine.class);
	}

	@Bean
	GroupedOpenApi vertexApi(BuildProperties build) {
		ApiDocument document = new ApiDocument(new ClassPathResource("openapi/vertex.yaml"), build.getVersion());
		return GroupedOpenApi.builder()
			.group("vertex")
			.displayName("Vertex AI")
			.packagesToScan(getClass().getPackageName())
			.addOpenApiCustomizer(new VertexPaths(document))
			.build();
	}

}
