package dev.agentsessions.json;

import java.util.regex.Pattern;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/** Says what is wrong with a JSON text, without naming anything of the parser. */
final class JsonProblems {

	/** Names of the parser's settings, and where it thinks that the text came from. */
	private static final Pattern PARSER_TALK = Pattern
		.compile(", from `[^`]*`|: enable `[^`]*` to allow| \\(start marker at .*\\)$");

	private JsonProblems() {
	}

	static String describe(JacksonException ex) {
		String reason = PARSER_TALK.matcher(ex.getOriginalMessage()).replaceAll("");
		TokenStreamLocation location = ex.getLocation();
		return (location == null) ? reason
				: "%s (line %d, column %d)".formatted(reason, location.getLineNr(), location.getColumnNr());
	}

}
