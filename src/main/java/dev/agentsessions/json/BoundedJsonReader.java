package dev.agentsessions.json;

import java.util.function.LongConsumer;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON from clients within limits. Tokens are limited because a text of a few
 * megabytes can have a million members.
 */
public final class BoundedJsonReader {

	private final JsonFactory json;

	private final StreamReadConstraints constraints;

	/**
	 * Creates a reader.
	 * @param maxDepth the maximum nesting depth of objects and arrays, at most 500
	 * @param maxTokens the maximum number of tokens in a text: names, values, and the
	 * starts and ends of objects and arrays
	 */
	public BoundedJsonReader(int maxDepth, long maxTokens) {
		this.constraints = JsonReader.JSON.streamReadConstraints()
			.rebuild()
			.maxNestingDepth(maxDepth)
			.maxTokenCount(maxTokens)
			.build();
		this.json = JsonReader.JSON.rebuild().streamReadConstraints(this.constraints).build();
	}

	/**
	 * Reads an object.
	 * @param tokenCounter receives the number of tokens of the object
	 * @throws JsonException if the text is not an object, or exceeds a limit
	 */
	public JsonObject read(String text, LongConsumer tokenCounter) {
		try (JsonParser parser = this.json.createParser(ObjectReadContext.empty(), text.toCharArray())) {
			return read(text, parser, tokenCounter);
		}
		catch (JacksonException ex) {
			throw JsonException.Malformed.of(ex);
		}
	}

	private JsonObject read(String text, JsonParser parser, LongConsumer tokenCounter) {
		try {
			JsonObject object = JsonReader.object("", text, parser);
			tokenCounter.accept(parser.currentTokenCount());
			return object;
		}
		catch (StreamConstraintsException ex) {
			if (parser.currentTokenCount() > this.constraints.getMaxTokenCount()) {
				throw new JsonException.TooManyTokens(this.constraints.getMaxTokenCount());
			}
			if (parser.streamReadContext().getNestingDepth() > this.constraints.getMaxNestingDepth()) {
				throw new JsonException.TooDeep(this.constraints.getMaxNestingDepth());
			}
			throw ex;
		}
	}

}
