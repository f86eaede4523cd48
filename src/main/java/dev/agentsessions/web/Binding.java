package dev.agentsessions.web;

import org.springframework.beans.propertyeditors.StringArrayPropertyEditor;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/** How Spring MVC converts the parameters and headers of a request, for all dialects. */
@ControllerAdvice
class Binding {

	/** No parameter can contain it, so no value is split at its commas. */
	private static final String NO_SEPARATOR = "\0";

	@InitBinder
	void configure(WebDataBinder binder) {
		WholeNumbers.register(binder);
		binder.registerCustomEditor(String[].class, new StringArrayPropertyEditor(NO_SEPARATOR));
	}

}
