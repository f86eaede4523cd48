package dev.agentsessions.adk;

import org.springdoc.core.models.GroupedOpenApi;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.http.ApiDocument;

/**
 * Serves the OpenAPI document of the dialect, also where tools expect the only document.
 */
@Configuration(proxyBeanMethods = false)
class AdkApiConfiguration implements WebMvcConfigurer {

	@Bean
	GroupedOpenApi adkApi(BuildProperties build) {
		return GroupedOpenApi.builder()
			.group("adk")
			.displayName("ADK")
			.packagesToScan(getClass().getPackageName())
			.addOpenApiCustomizer(new ApiDocument(new ClassPathResource("openapi/adk.yaml"), build.getVersion()))
			.build();
	}

	@Override
	public void addViewControllers(ViewControllerRegistry registry) {
		registry.addRedirectViewController("/v3/api-docs", "/v3/api-docs/adk");
	}

}
