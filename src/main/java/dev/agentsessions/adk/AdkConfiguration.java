package dev.agentsessions.adk;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springdoc.core.models.GroupedOpenApi;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.jackson.JacksonComponent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.openapi.ApiDocument;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;
import dev.agentsessions.web.ApiDialect;

/**
 * Publishes the OpenAPI document of the ADK dialect, also at {@code /v3/api-docs} where
 * tools expect a single document, and registers the check of query parameter names.
 */
@Configuration(proxyBeanMethods = false)
class AdkConfiguration implements WebMvcConfigurer {

	static {
		SpringDocUtils.getConfig().addRequestWrapperToIgnore(Preconditions.class, SessionName.class);
	}

	private static final int AFTER_GENERAL_RULES = 1;

	private final Preconditions.Resolver preconditions = new Preconditions.Resolver();

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

	/**
	 * Refuses query parameters that are misspelled, or that the service knows but the
	 * request does not have. The error has a hint. Unknown names are ignored, because ADK
	 * has parameters of its own.
	 */
	static final class ParameterNameInterceptor implements HandlerInterceptor {

		private final Map<Method, Set<String>> known = new ConcurrentHashMap<>();

		@Override
		public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
			if (request.getQueryString() != null && handler instanceof HandlerMethod method
					&& method.getBeanType().getPackageName().startsWith(getClass().getPackageName())) {
				Set<String> names = this.known.computeIfAbsent(method.getMethod(), ParameterNameInterceptor::names);
				Collections.list(request.getParameterNames())
					.stream()
					.filter((name) -> !names.contains(name))
					.forEach((name) -> check(name, names, method.getMethod()));
			}
			return true;
		}

		private static void check(String name, Set<String> names, Method method) {
			meant(name, names).ifPresent((meant) -> refuse(name, "did you mean " + meant + "?"));
			if (hasBody(method)) {
				meant(name, KnownFields.FIELDS).ifPresent((field) -> refuse(name, field + " is a field of the body"));
			}
			meant(name, QueryParameters.NAMES).ifPresent((other) -> refuse(name,
					names.isEmpty() ? "it has none" : "it has " + String.join(", ", new TreeSet<>(names))));
		}

		private static Optional<String> meant(String name, Collection<String> names) {
			return names.contains(name) ? Optional.of(name) : FieldNames.meant(name, names);
		}

		private static void refuse(String name, String hint) {
			throw new SessionException.InvalidArgument(name, "is no parameter of this request; " + hint);
		}

		private static boolean hasBody(Method method) {
			return Arrays.stream(method.getParameters())
				.anyMatch((parameter) -> parameter.isAnnotationPresent(RequestBody.class));
		}

		static Set<String> names(Method method) {
			return Arrays.stream(method.getParameters())
				.flatMap(ParameterNameInterceptor::names)
				.collect(Collectors.toUnmodifiableSet());
		}

		/** Each component of another record without annotations is a query parameter. */
		private static Stream<String> names(Parameter parameter) {
			if (parameter.getType() == Preconditions.class) {
				return Stream.of(Preconditions.LAST_UPDATE_TIME);
			}
			if (parameter.isAnnotationPresent(RequestParam.class)) {
				return Stream.of(parameter.getName());
			}
			return (parameter.getType().isRecord() && parameter.getType() != SessionName.class
					&& parameter.getAnnotations().length == 0)
							? Arrays.stream(parameter.getType().getRecordComponents()).map(RecordComponent::getName)
							: Stream.of();
		}

	}

	/**
	 * The dialect of ADK's own server. It comes after all other dialects and owns every
	 * path that none of them owns.
	 */
	@Component
	static class AdkDialect implements ApiDialect {

		private static final Pattern APP = Pattern.compile("/apps/([^/]+)");

		@Override
		public TranslationCost translationCost() {
			return TranslationCost.NONE;
		}

		@Override
		public boolean owns(String path) {
			return true;
		}

		@Override
		public Optional<String> appName(String path) {
			Matcher app = APP.matcher(path);
			return app.lookingAt() ? Optional.of(app.group(1)) : Optional.empty();
		}

		@Override
		public List<String> publicPaths() {
			return List.of("/health", "/version");
		}

		@Override
		public ProblemDetail error(HttpStatusCode status, String detail, String requestId) {
			return ProblemCode.completed(ProblemDetail.forStatusAndDetail(status, detail), requestId);
		}

		/** Writes the body of a stored event without changes. */
		@JacksonComponent
		static class EventSerializer extends ValueSerializer<Event> {

			@Override
			public void serialize(Event event, JsonGenerator json, SerializationContext context) {
				context.writeValue(json, event.body());
			}

		}

	}

}
