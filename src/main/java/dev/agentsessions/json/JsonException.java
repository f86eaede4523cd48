package dev.agentsessions.json;

import java.util.Objects;
import java.util.regex.Pattern;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/** A text is not the JSON that a caller requires. Messages are written for the client. */
public abstract sealed class JsonException extends RuntimeException {

	private JsonException(String message) {
		super(message);
	}

	@Override
	public final String getMessage() {
		return Objects.requireNonNull(super.getMessage());
	}

	/** A body is not JSON, or not UTF-8. */
	public static final class Malformed extends JsonException {

		/**
		 * Parts of a parser message that name settings of the parser or the source of the
		 * text.
		 */
		private static final Pattern PARSER_DETAILS = Pattern
			.compile(", from `[^`]*`|: enable `[^`]*` to allow| \\(start marker at .*\\)$");

		public Malformed(String reason) {
			super("The body is not valid JSON: " + reason);
		}

		/** Creates the exception from a parser error, without details of the parser. */
		static Malformed of(JacksonException ex) {
			String reason = PARSER_DETAILS.matcher(ex.getOriginalMessage()).replaceAll("");
			TokenStreamLocation location = ex.getLocation();
			return new Malformed((location == null) ? reason
					: "%s (line %d, column %d)".formatted(reason, location.getLineNr(), location.getColumnNr()));
		}

	}

	/** The nesting of a text is deeper than its reader allows. */
	public static final class TooDeep extends JsonException {

		TooDeep(int limit) {
			super("The body is nested deeper than " + limit);
		}

	}

	/** A text has more tokens than its reader allows. */
	public static final class TooManyTokens extends JsonException {

		TooManyTokens(long limit) {
			super("The body has more than " + limit + " tokens");
		}

	}

	/** A body has the wrong shape: a field is missing or of the wrong type. */
	public static final class InvalidShape extends JsonException {

		private final String field;

		private final String rule;

		/**
		 * Creates the exception.
		 * @param field the field, with dots between levels, blank for the body itself
		 * @param rule the rule that the field breaks, as the end of a sentence that
		 * begins with the field
		 */
		public InvalidShape(String field, String rule) {
			super(field.isEmpty() ? "The body " + rule : field + " " + rule);
			this.field = field;
			this.rule = rule;
		}

		/**
		 * Refuses a field that breaks a rule.
		 * @param isValid whether the field follows the rule
		 * @param field the field, with dots between levels, blank for the body itself
		 * @param rule the rule, as the end of a sentence that begins with the field
		 * @throws InvalidShape if the field does not follow the rule
		 */
		public static void check(boolean isValid, String field, String rule) {
			if (!isValid) {
				throw new InvalidShape(field, rule);
			}
		}

		public String field() {
			return this.field;
		}

		public String rule() {
			return this.rule;
		}

	}

}
