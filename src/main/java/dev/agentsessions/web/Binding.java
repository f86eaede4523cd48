package dev.agentsessions.web;

import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.servlet.support.ExtendedServletRequestDataBinder;

/** How Spring MVC converts the parameters and headers of a request, for all dialects. */
@ControllerAdvice
class Binding {

	/**
	 * Spring also fills records of query parameters from headers of the same names, so
	 * that a header {@code Limit} of a proxy would change a list.
	 */
	@InitBinder
	void configure(WebDataBinder binder) {
		WholeNumbers.register(binder);
		if (binder instanceof ExtendedServletRequestDataBinder records) {
			records.setHeaderPredicate((header) -> false);
		}
	}

}
