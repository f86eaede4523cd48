package dev.agentsessions.json;

import java.util.function.LongConsumer;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads texts that somebody else has written, as far as they stay within limits. What a
 * text costs is what is in it: a few megabytes can have a million members.
 */
public final class BoundedJsonReader {

	private final JsonFactory json;

	private final StreamReadConstraints constraints;

	/**
	 * Creates a reader.
	 * @param maxDepth how deep objects and arrays may be nested, at most 500
	 * @param maxTokens how many tokens a text may have: names, values, and the beginnings
	 * and ends of objects and arrays
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
	 * @param counted is told how many tokens it has
	 * @throws JsonException if it is no object, too deep or too much
	 */
	public JsonObject read(String text, LongConsumer counted) {
		try (JsonParser parser = this.json.createParser(ObjectReadContext.empty(), text.toCharArray())) {
			return read(text, parser, counted);
		}
		catch (JacksonException ex) {
			throw JsonException.Malformed.of(ex);
		}
	}

	private JsonObject read(String text, JsonParser parser, LongConsumer counted) {
		try {
			JsonObject object = JsonReader.object("", text, parser);
			counted.accept(parser.currentTokenCount());
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
