package dev.agentsessions.json;

import java.util.Objects;
import java.util.regex.Pattern;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/** A text is not the JSON that it should be. Messages are written for the client. */
public abstract sealed class JsonException extends RuntimeException {

	private JsonException(String message) {
		super(message);
	}

	/** What is wrong, for the client. */
	@Override
	public final String getMessage() {
		return Objects.requireNonNull(super.getMessage());
	}

	/** A body is not JSON, or not UTF-8. */
	public static final class Malformed extends JsonException {

		/**
		 * Names of the parser's settings, and where it thinks that the text came from.
		 */
		private static final Pattern PARSER_TALK = Pattern
			.compile(", from `[^`]*`|: enable `[^`]*` to allow| \\(start marker at .*\\)$");

		public Malformed(String reason) {
			super("The body is not valid JSON: " + reason);
		}

		/** What a parser has found, without naming anything of the parser. */
		static Malformed of(JacksonException ex) {
			String reason = PARSER_TALK.matcher(ex.getOriginalMessage()).replaceAll("");
			TokenStreamLocation place = ex.getLocation();
			return new Malformed((place == null) ? reason
					: "%s (line %d, column %d)".formatted(reason, place.getLineNr(), place.getColumnNr()));
		}

	}

	/** A text is nested deeper than its reader goes. */
	public static final class TooDeep extends JsonException {

		TooDeep(int limit) {
			super("The body is nested deeper than " + limit);
		}

	}

	/** A text has more in it than its reader takes. */
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
		 * @param rule what it has to be
		 */
		public InvalidShape(String field, String rule) {
			super(field.isEmpty() ? "The body " + rule : field + " " + rule);
			this.field = field;
			this.rule = rule;
		}

		public String field() {
			return this.field;
		}

		public String rule() {
			return this.rule;
		}

	}

}
