package dev.agentsessions.web;

import org.springframework.context.annotation.Configuration;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Keeps Spring MVC from making a validator of its own. Settings have constraints, but no
 * parameter of a controller has: values that clients send are checked where their meaning
 * is known, for all dialects.
 */
@Configuration(proxyBeanMethods = false)
class NoValidatorConfiguration implements WebMvcConfigurer {

	@Override
	public Validator getValidator() {
		return new Validator() {

			@Override
			public boolean supports(Class<?> type) {
				return false;
			}

			@Override
			public void validate(Object target, Errors errors) {
				throw new IllegalStateException("Nothing is validated");
			}

		};
	}

}
