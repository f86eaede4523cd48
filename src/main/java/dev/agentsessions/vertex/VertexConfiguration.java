package dev.agentsessions.vertex;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.models.GroupedOpenApi;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.openapi.ApiDocument;
import dev.agentsessions.startup.DataSizeRange;

/**
 * Registers the resolver of reasoning engines, and the OpenAPI document of this dialect.
 */
@Configuration(proxyBeanMethods = false)
class VertexConfiguration implements WebMvcConfigurer {

	static {
		SpringDocUtils.getConfig().addRequestWrapperToIgnore(ReasoningEngine.class);
	}

	private final ReasoningEngine.Resolver engines;

	VertexConfiguration(ReasoningEngine.Resolver engines) {
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

	/**
	 * The settings of the Vertex AI dialect.
	 *
	 * @param apps the app of a reasoning engine, by the id of the engine; an engine
	 * without an entry is the app of the same name
	 * @param project the project in responses to paths without a project (express mode)
	 * @param location the location in responses to paths without a location (express
	 * mode)
	 * @param sessionTtl the lifetime of a session that this dialect creates without an
	 * expiry
	 * @param maxBodySize the maximum size of a request body, at most a tenth of the heap
	 * @param tokenEndpoint whether POST /sts/token returns the text of a credential file
	 * as an access token, so that clients that require Google's application default
	 * credentials work without Google
	 */
	@Validated
	@ConfigurationProperties("agent-sessions.vertex")
	record VertexProperties(@DefaultValue Map<String, String> apps, @DefaultValue("local") String project,
			@DefaultValue("local") String location, @DefaultValue("365d") @DurationMin(millis = 1) Duration sessionTtl,
			@DefaultValue("64MB") @DataSizeRange(max = "1GB") DataSize maxBodySize,
			@DefaultValue("false") boolean tokenEndpoint) {
	}

	/**
	 * Lists every operation once in the OpenAPI document of the dialect, at the path that
	 * most clients use, and names its other paths in its description.
	 */
	static class VertexOpenApiPaths implements OpenApiCustomizer {

		private static final String VERSION = "/{version}";

		private static final String LOCATION = "/projects/{project}/locations/{location}";

		private final ApiDocument document;

		VertexOpenApiPaths(ApiDocument document) {
			this.document = document;
		}

		@Override
		public void customise(OpenAPI api) {
			Paths all = api.getPaths();
			Paths shown = new Paths();
			all.forEach((path, operations) -> {
				if (path.startsWith(VERSION + LOCATION) || !path.startsWith(VERSION)) {
					shown.addPathItem(path.replace(VERSION, "/v1beta1"), operations);
				}
			});
			api.setPaths(shown);
			this.document.customise(api);
			api.getPaths().forEach((path, operations) -> addOtherPaths(path, operations, all));
		}

		private static void addOtherPaths(String path, PathItem operations, Map<String, PathItem> all) {
			TreeSet<String> others = new TreeSet<>();
			String rest = path.replace("/v1beta1", "");
			for (String pattern : List.of(VERSION + rest, VERSION + rest.replace(LOCATION, ""))) {
				if (all.containsKey(pattern)) {
					List.of("/v1", "/v1beta1").forEach((version) -> others.add(pattern.replace(VERSION, version)));
				}
			}
			others.remove(path);
			if (!others.isEmpty()) {
				String list = "\n\nAlso at `" + String.join("`, `", others) + "`.";
				operations.readOperations()
					.forEach((operation) -> operation.description(operation.getDescription() + list));
			}
		}

	}

}
