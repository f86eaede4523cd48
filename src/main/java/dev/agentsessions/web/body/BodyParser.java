package dev.agentsessions.web.body;

import java.util.function.LongConsumer;

import dev.agentsessions.json.BoundedJsonReader;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.HttpProperties;

/** Parses the JSON of bodies. Errors name the limit that was exceeded. */
final class BodyParser {

	/** The tokens around an event in a line of an import. */
	private static final int EXTRA_LINE_TOKENS = 100;

	private final BoundedJsonReader json;

	private final HttpProperties properties;

	private BodyParser(HttpProperties properties, int extraLevels, int extraTokens) {
		this.json = new BoundedJsonReader(properties.maxJsonDepth() + extraLevels,
				properties.maxJsonTokens() + extraTokens);
		this.properties = properties;
	}

	/** Creates a parser for whole bodies. */
	static BodyParser ofBodies(HttpProperties properties) {
		return new BodyParser(properties, 0, 0);
	}

	/** Creates a parser for lines, each of which wraps an event that once was a body. */
	static BodyParser ofLines(HttpProperties properties) {
		return new BodyParser(properties, 1, EXTRA_LINE_TOKENS);
	}

	/**
	 * Parses an object.
	 * @param counted receives the number of its tokens
	 * @throws JsonException if the text is not an object
	 * @throws SessionException if the text is too deep or has too many tokens
	 */
	JsonObject parse(String text, LongConsumer counted) {
		try {
			return this.json.read(text, counted);
		}
		catch (JsonException.TooManyTokens ex) {
			throw new SessionException.TooLarge("The body", this.properties.maxJsonTokens(),
					"names, values, objects and arrays", "agent-sessions.max-json-tokens");
		}
		catch (JsonException.TooDeep ex) {
			int max = this.properties.maxJsonDepth();
			throw new SessionException.InvalidArgument("The body",
					"is too deep: its nesting depth (%d) exceeds the maximum allowed (%d), agent-sessions.max-json-depth"
						.formatted(max + 1, max));
		}
	}

}
