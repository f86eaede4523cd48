package dev.agentsessions.web.body;

import java.util.function.Consumer;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget;

/** The lines of a body, each a JSON object. */
public final class JsonLines implements AutoCloseable {

	private final ImportPermits.Permit permit;

	private final BodyLines lines;

	private final LineHeap memory;

	private final BodyParser parser;

	private final RequestHeapFilter memoryFilter;

	JsonLines(ImportPermits.Permit permit, BodyLines lines, LineHeap memory, BodyParser parser,
			RequestHeapFilter memoryFilter) {
		this.permit = permit;
		this.lines = lines;
		this.memory = memory;
		this.parser = parser;
		this.memoryFilter = memoryFilter;
	}

	/** Returns the number of the line that was read last, from 1. */
	public long number() {
		return this.lines.number();
	}

	/**
	 * Reads the next line that is not blank. After an exception about one line, the lines
	 * after it can be read.
	 * @param handler processes the line
	 * @return whether there was a line
	 * @throws JsonException if the line is not a JSON object
	 * @throws SessionException if the line is too large
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

	/**
	 * Gives back memory that other requests wait for, before the line is processed.
	 */
	private JsonObject parse(String line) {
		HeapBudget.Share reserved = this.memoryFilter.reserve(line.length());
		try {
			return this.parser.parse(line, (tokens) -> this.memory.take(RequestHeapFilter.BYTES_PER_TOKEN * tokens));
		}
		finally {
			reserved.close();
		}
	}

	/** Gives back the memory of the lines, and the permit. */
	@Override
	public void close() {
		this.memory.close();
		this.permit.close();
	}

}
