package dev.agentsessions.web.body;

import java.util.function.Consumer;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.memory.MemoryBudget;

/** The lines of a body, each a JSON object. */
public final class JsonLines implements AutoCloseable {

	private final ImportTurns.Turn turn;

	private final BodyLines lines;

	private final LineMemory memory;

	private final BodyParser parser;

	private final RequestMemoryFilter memoryLimiter;

	JsonLines(ImportTurns.Turn turn, BodyLines lines, LineMemory memory, BodyParser parser,
			RequestMemoryFilter memoryLimiter) {
		this.turn = turn;
		this.lines = lines;
		this.memory = memory;
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
		handler.accept(parse(line));
		return true;
	}

	/** What others wait for is given back before anything is done with the line. */
	private JsonObject parse(String line) {
		MemoryBudget.Share reserved = this.memoryLimiter.reserve(line.length());
		try {
			return this.parser.parse(line, (tokens) -> this.memory.take(RequestMemoryFilter.BYTES_OF_TOKEN * tokens));
		}
		finally {
			reserved.close();
		}
	}

	/** Gives back the memory that was taken for lines, and the turn. */
	@Override
	public void close() {
		this.memory.close();
		this.turn.close();
	}

}
