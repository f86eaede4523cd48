package dev.agentsessions.http;

import java.util.function.Consumer;
import java.util.function.LongConsumer;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.MemoryBudget;
import dev.agentsessions.session.SessionException;

/** The lines of a body, each a JSON object. */
public final class JsonLines {

	/** What a line costs is given back before the next one is read. */
	private static final LongConsumer NOT_COUNTED = (tokens) -> {
	};

	private final BodyLines lines;

	private final BodyParser parser;

	private final RequestMemoryLimiter memoryLimiter;

	JsonLines(BodyLines lines, BodyParser parser, RequestMemoryLimiter memoryLimiter) {
		this.lines = lines;
		this.parser = parser;
		this.memoryLimiter = memoryLimiter;
	}

	/** The number of the line that was read last, from 1. */
	public long number() {
		return this.lines.number();
	}

	/**
	 * Reads the next line that is not blank. After an exception about one line, the lines
	 * behind it can be read.
	 * @param handler works on it
	 * @return whether there was one
	 * @throws JsonException if it is no JSON object
	 * @throws SessionException if it is too large
	 */
	public boolean next(Consumer<JsonObject> handler) {
		String line = this.lines.next();
		while (line != null && line.isBlank()) {
			line = this.lines.next();
		}
		if (line == null) {
			return false;
		}
		MemoryBudget.Share reserved = this.memoryLimiter.reserve(line.length());
		try {
			handler.accept(this.parser.parse(line, NOT_COUNTED));
		}
		finally {
			reserved.close();
		}
		return true;
	}

}
