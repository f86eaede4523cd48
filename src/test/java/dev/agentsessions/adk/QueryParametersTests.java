package dev.agentsessions.adk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.AdkConfiguration.ParameterNameInterceptor;

/** Tests of the names of query parameters. */
class QueryParametersTests {

	@Test
	void namesAreThoseOfAllControllers() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AnnotationTypeFilter(RestController.class));
		Set<String> names = new TreeSet<>();
		scanner.findCandidateComponents(getClass().getPackageName())
			.stream()
			.map((controller) -> loadClass(controller.getBeanClassName()))
			.forEach((controller) -> ReflectionUtils.doWithMethods(controller,
					(method) -> names.addAll(ParameterNameInterceptor.names(method)),
					(method) -> AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class)));
		assertThat(QueryParameters.NAMES).containsExactlyInAnyOrderElementsOf(names);
	}

	private static Class<?> loadClass(String name) {
		try {
			return Class.forName(name);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
