package dev.agentsessions.web;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.annotation.AbstractNamedValueMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Calls the controller method for a request. For each path variable, query parameter and
 * header, Spring creates a binder and looks for a conversion, even if the value is absent
 * or the parameter is a text. This class does so only for values that need a conversion.
 * {@link WholeNumbers} parses whole numbers.
 */
class TextArguments extends RequestMappingHandlerAdapter {

	private static final Set<Class<?>> SIMPLE = Set.of(String.class, Long.class, Integer.class, Boolean.class);

	@Override
	public void afterPropertiesSet() {
		super.afterPropertiesSet();
		if (getWebBindingInitializer() instanceof ConfigurableWebBindingInitializer initializer) {
			initializer.setPropertyEditorRegistrar(WholeNumbers::register);
		}
		List<HandlerMethodArgumentResolver> resolvers = Objects.requireNonNull(getArgumentResolvers());
		Stream<HandlerMethodArgumentResolver> texts = resolvers.stream()
			.filter(AbstractNamedValueMethodArgumentResolver.class::isInstance)
			.map(TextResolver::new);
		setArgumentResolvers(Stream.concat(texts, resolvers.stream()).toList());
	}

	private record TextResolver(HandlerMethodArgumentResolver resolver) implements HandlerMethodArgumentResolver {

		@Override
		public boolean supportsParameter(MethodParameter parameter) {
			return SIMPLE.contains(parameter.getParameterType()) && this.resolver.supportsParameter(parameter);
		}

		/** A value that is given more than once is an array and needs a conversion. */
		@Override
		public @Nullable Object resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
				NativeWebRequest request, @Nullable WebDataBinderFactory binders) throws Exception {
			Object value = this.resolver.resolveArgument(parameter, container, request, null);
			boolean isReady = value == null || value instanceof String && parameter.getParameterType() == String.class;
			return isReady ? value : this.resolver.resolveArgument(parameter, container, request, binders);
		}

	}

}
