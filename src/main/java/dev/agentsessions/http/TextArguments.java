package dev.agentsessions.http;

import java.util.List;
import java.util.Objects;
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
 * Calls the method that answers a request. Texts of the path, the query and the headers
 * are passed to it as they are: Spring makes a binder for each of them and looks for a
 * way to convert a text into a text, also where there is none at all. Whole numbers are
 * read by {@link WholeNumbers}.
 */
class TextArguments extends RequestMappingHandlerAdapter {

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
			return parameter.getParameterType() == String.class && this.resolver.supportsParameter(parameter);
		}

		/** What is given more than once is an array, and converted. */
		@Override
		public @Nullable Object resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
				NativeWebRequest request, @Nullable WebDataBinderFactory binders) throws Exception {
			Object value = this.resolver.resolveArgument(parameter, container, request, null);
			boolean isText = value == null || value instanceof String;
			return isText ? value : this.resolver.resolveArgument(parameter, container, request, binders);
		}

	}

}
