package dev.agentsessions.web.body;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.LimitProperties;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.BodyLimit;
import dev.agentsessions.web.HttpProperties;

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

}
