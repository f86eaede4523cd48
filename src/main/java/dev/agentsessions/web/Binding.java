package dev.agentsessions.web;

import java.beans.PropertyEditorSupport;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.springframework.beans.PropertyEditorRegistry;
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
