package dev.agentsessions.web;

import org.springframework.context.annotation.Configuration;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Keeps Spring MVC from starting Hibernate Validator, which springdoc puts on the class
 * path. No parameter of a controller has constraints: the service checks them itself.
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
