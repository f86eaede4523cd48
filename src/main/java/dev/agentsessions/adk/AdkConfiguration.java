package dev.agentsessions.adk;

import java.util.List;

import org.springdoc.core.models.GroupedOpenApi;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.openapi.ApiDocument;
import dev.agentsessions.session.SessionKey;

/**
 * Publishes the OpenAPI document of the ADK dialect, also at {@code /v3/api-docs} where
 * tools expect a single document, and registers the check of query parameter names.
 */
@Configuration(proxyBeanMethods = false)
class AdkConfiguration implements WebMvcConfigurer {

	static {
		SpringDocUtils.getConfig().addRequestWrapperToIgnore(Preconditions.class, SessionKey.class);
	}

	private static final int AFTER_GENERAL_RULES = 1;

	private final PreconditionsResolver preconditions = new PreconditionsResolver();

	@Bean
	GroupedOpenApi adkApi(BuildProperties build) {
		return GroupedOpenApi.builder()
			.group("adk")
			.displayName("ADK")
			.packagesToScan(getClass().getPackageName())
			.addOperationCustomizer(this.preconditions)
			.addOpenApiCustomizer(new ApiDocument(new ClassPathResource("openapi/adk.yaml"), build.getVersion()))
			.build();
	}

	@Override
	public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
		resolvers.add(this.preconditions);
	}

	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(new ParameterNameInterceptor()).order(AFTER_GENERAL_RULES);
	}

	@Override
	public void addViewControllers(ViewControllerRegistry registry) {
		registry.addRedirectViewController("/v3/api-docs", "/v3/api-docs/adk");
	}

}
