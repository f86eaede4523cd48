package dev.agentsessions.web;

import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/** How Spring MVC converts the parameters and headers of a request, for all dialects. */
@ControllerAdvice
class Binding {

	@InitBinder
	void configure(WebDataBinder binder) {
		WholeNumbers.register(binder);
	}

}
