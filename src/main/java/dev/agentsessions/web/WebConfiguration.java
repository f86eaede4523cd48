package dev.agentsessions.web;

import java.beans.PropertyEditorSupport;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyEditorRegistry;
import org.springframework.beans.propertyeditors.StringArrayPropertyEditor;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.validation.Validator;
import org.springframework.web.bind.ServletRequestDataBinder;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.annotation.InitBinderDataBinderFactory;
import org.springframework.web.method.support.InvocableHandlerMethod;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ServletRequestDataBinderFactory;

/** Configures how Spring MVC reads requests, for all dialects. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {

	@Bean
	static WebMvcRegistrations registrations() {
		return new WebMvcRegistrations() {

			@Override
			public ExceptionHandlerExceptionResolver getExceptionHandlerExceptionResolver() {
				return new ProblemResolver();
			}

			@Override
			public RequestMappingHandlerAdapter getRequestMappingHandlerAdapter() {
				return new ParametersAdapter();
			}

		};
	}

	/**
	 * Applies to every path, also to the paths of the actuator, which have a handler
	 * mapping of their own.
	 */
	@Bean
	static MappedInterceptor requestRules() {
		return new MappedInterceptor(null, new RequestValidator());
	}

	/**
	 * Keeps Spring MVC from making a validator of its own. Settings have constraints, but
	 * no parameter of a controller has: values that clients send are checked where their
	 * meaning is known, for all dialects.
	 */
	@Override
	public Validator getValidator() {
		return Validator.forType(Void.class, (none, errors) -> {
		});
	}

	/**
	 * Also applies to handlers that are no methods of a controller, such as redirects.
	 * Spring would leave their errors to the servlet container, which responds with stack
	 * traces.
	 */
	private static final class ProblemResolver extends ExceptionHandlerExceptionResolver {

		@Override
		protected boolean shouldApplyTo(HttpServletRequest request, @Nullable Object handler) {
			return true;
		}

	}

	/**
	 * Converts the parameters and headers of controllers, for all dialects, and fills
	 * records with a {@link ParameterBinder}. A method with {@code InitBinder} could
	 * configure the binder, too. But Spring looks at its annotations for each request,
	 * which was a thirtieth of the processor time of a small one.
	 */
	private static final class ParametersAdapter extends RequestMappingHandlerAdapter {

		/** No parameter can contain it, so no value is split at its commas. */
		private static final String NO_SEPARATOR = "\0";

		@Override
		protected InitBinderDataBinderFactory createDataBinderFactory(List<InvocableHandlerMethod> binderMethods) {
			return new ServletRequestDataBinderFactory(binderMethods, getWebBindingInitializer()) {

				@Override
				protected ServletRequestDataBinder createBinderInstance(@Nullable Object target, String name,
						NativeWebRequest request) {
					return new ParameterBinder(target, name);
				}

				@Override
				public void initBinder(WebDataBinder binder, NativeWebRequest request) {
					WholeNumbers.register(binder);
					binder.registerCustomEditor(String[].class, new StringArrayPropertyEditor(NO_SEPARATOR));
				}

			};
		}

	}

	/**
	 * Fills a record of query parameters: each component gets the parameter with exactly
	 * its name. Spring's own binder also reads headers, and takes {@code limit.x},
	 * {@code label[0]} and {@code _limit} for parts of a component, and fails at most of
	 * them.
	 */
	static final class ParameterBinder extends ServletRequestDataBinder {

		ParameterBinder(@Nullable Object target, String name) {
			super(target, name);
			setDeclarativeBinding(true);
		}

		@Override
		public void construct(ServletRequest request) {
			construct(new ValueResolver() {

				@Override
				public @Nullable Object resolveValue(String name, Class<?> type) {
					String[] values = request.getParameterValues(name);
					return (values != null && values.length == 1) ? values[0] : values;
				}

				/** Spring searches these only for names of parts. */
				@Override
				public Set<String> getNames() {
					return Set.of();
				}

			});
		}

	}

	/**
	 * Parses whole numbers of paths, queries and headers. Each number has one spelling:
	 * Spring would also accept {@code 0x1}, {@code +1} and {@code 01}, so that one
	 * resource had several URLs. This is a property editor, because Spring uses its own
	 * parser if a converter refuses a text. An empty text means no value.
	 */
	private static final class WholeNumbers extends PropertyEditorSupport {

		private static final Pattern DECIMAL = Pattern.compile("0|-?[1-9]\\d{0,18}");

		private final Function<String, Number> parser;

		private WholeNumbers(Function<String, Number> parser) {
			this.parser = parser;
		}

		static void register(PropertyEditorRegistry registry) {
			registry.registerCustomEditor(Long.class, new WholeNumbers(Long::valueOf));
			registry.registerCustomEditor(long.class, new WholeNumbers(Long::valueOf));
			registry.registerCustomEditor(Integer.class, new WholeNumbers(Integer::valueOf));
			registry.registerCustomEditor(int.class, new WholeNumbers(Integer::valueOf));
		}

		@Override
		public void setAsText(String text) {
			if (!text.isEmpty() && !DECIMAL.matcher(text).matches()) {
				throw new NumberFormatException("No whole number in decimal digits");
			}
			setValue(text.isEmpty() ? null : this.parser.apply(text));
		}

	}

}
