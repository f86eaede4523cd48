package dev.agentsessions.startup;

import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.context.properties.bind.validation.ValidationErrors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;

/** The service does not start, and the operator can correct the reason. */
public class StartupException extends RuntimeException {

	private final String action;

	/**
	 * Creates the exception.
	 * @param reason why the service does not start
	 * @param action what the operator does about it
	 */
	public StartupException(String reason, String action) {
		this(reason, action, null);
	}

	/**
	 * Creates the exception with a cause.
	 * @param reason why the service does not start
	 * @param action what the operator does about it
	 */
	public StartupException(String reason, String action, @Nullable Throwable cause) {
		super(reason, cause);
		this.action = action;
	}

	/** What the operator does about it. */
	public String action() {
		return this.action;
	}

	/**
	 * Shows the reason and the action of a {@link StartupException} instead of a stack
	 * trace.
	 */
	static class StartupFailureAnalyzer extends AbstractFailureAnalyzer<StartupException> {

		@Override
		protected FailureAnalysis analyze(Throwable rootFailure, StartupException cause) {
			return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
		}

	}

	/**
	 * Lists the settings that break a constraint. Comes before the analyzer of Spring
	 * Boot, which would show the values, and a value may be a secret.
	 */
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class InvalidSettingsAnalyzer extends AbstractFailureAnalyzer<BindValidationException> {

		private static final String ACTION = "Correct these settings. The reference (docs/reference.md) describes each.";

		@Override
		protected FailureAnalysis analyze(Throwable rootFailure, BindValidationException cause) {
			ValidationErrors errors = cause.getValidationErrors();
			String rules = errors.getAllErrors()
				.stream()
				.map((error) -> describe(errors, error))
				.sorted()
				.collect(Collectors.joining(System.lineSeparator()));
			return new FailureAnalysis(rules, ACTION, cause);
		}

		private static String describe(ValidationErrors errors, ObjectError error) {
			String field = (error instanceof FieldError one) ? one.getField() : error.getObjectName();
			Origin origin = Origin.from(error);
			return errors.getName() + "." + DataObjectPropertyName.toDashedForm(field) + " " + error.getDefaultMessage()
					+ ((origin != null) ? ", from " + origin : "");
		}

	}

}
