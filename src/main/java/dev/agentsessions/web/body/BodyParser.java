package dev.agentsessions.web.body;

import java.util.function.LongConsumer;

import dev.agentsessions.json.BoundedJsonReader;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.HttpProperties;

/** Reads the JSON of bodies, which has limits that the answer names. */
final class BodyParser {

	/** What stands around an event in a line of a body of lines. */
	private static final int TOKENS_AROUND = 100;

	private final BoundedJsonReader json;

	private final HttpProperties properties;

	private BodyParser(HttpProperties properties, int levelsAround, int tokensAround) {
		this.json = new BoundedJsonReader(properties.maxJsonDepth() + levelsAround,
				properties.maxJsonTokens() + tokensAround);
		this.properties = properties;
	}

	/** Reads bodies. */
	static BodyParser ofBodies(HttpProperties properties) {
		return new BodyParser(properties, 0, 0);
	}

	/** Reads lines that have in them what once was a body. */
	static BodyParser ofLines(HttpProperties properties) {
		return new BodyParser(properties, 1, TOKENS_AROUND);
	}

	/**
	 * Reads an object.
	 * @param counted is told how many tokens it has
	 * @throws JsonException if it is none
	 * @throws SessionException if it is too deep or too much
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
