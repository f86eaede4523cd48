package dev.agentsessions.web.body;

import java.io.IOException;
import java.util.function.Consumer;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.LimitProperties;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget;
import dev.agentsessions.web.BodyLimit;
import dev.agentsessions.web.HttpProperties;
import dev.agentsessions.web.body.RequestHeapFilter.LineHeap;

/** Opens bodies of any length that have one JSON object in each line. */
@Component
public class JsonLinesReader {

	/** The bytes of a line around the largest event. */
	private static final int EXTRA_LINE_BYTES = 64 * 1024;

	private final HttpProperties properties;

	private final BodyLimit limit;

	private final BodyParser parser;

	private final RequestHeapFilter memoryFilter;

	private final ImportPermits permits;

	JsonLinesReader(HttpProperties properties, LimitProperties limits, BodyLimits bodies,
			RequestHeapFilter memoryFilter, ImportPermits permits) {
		this.properties = properties;
		this.permits = permits;
		this.parser = BodyParser.ofLines(properties);
		this.memoryFilter = memoryFilter;
		long event = limits.eventSize().toBytes();
		this.limit = new BodyLimit(Math.min(event, bodies.totalBytes()) + EXTRA_LINE_BYTES,
				(event <= bodies.totalBytes()) ? "agent-sessions.limits.event-size"
						: "agent-sessions.limits.event-size, a tenth of the heap at most");
	}

	/**
	 * Waits for the permit of an import, and opens the body of a request.
	 * @throws SessionException.Unavailable if too many such bodies are read at once
	 */
	public JsonLines open(HttpServletRequest request) throws IOException {
		LineHeap memory = this.memoryFilter.ofLines(BodyLines.COPIES_PER_LINE * this.limit.bytes());
		BodyLines lines = new BodyLines(request.getInputStream(), this.limit, this.properties.bodyTimeout(), memory);
		return new JsonLines(this.permits.take(request.getRemoteUser()), lines, memory, this.parser, this.memoryFilter);
	}

	/** The lines of a body, each a JSON object. */
	public static final class JsonLines implements AutoCloseable {

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
		 * Reads the next line that is not blank. After an exception about one line, the
		 * lines after it can be read.
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
				return this.parser.parse(line,
						(tokens) -> this.memory.take(RequestHeapFilter.BYTES_PER_TOKEN * tokens));
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

}
