package dev.agentsessions.http;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.LimitProperties;
import dev.agentsessions.session.MemoryBudget;
import dev.agentsessions.session.SessionException;

/**
 * Opens bodies that have one JSON object in each line, and may be as long as they like.
 */
@Component
public class JsonLineReader {

	/** What a line has around the largest event. */
	private static final int AROUND = 64 * 1024;

	private final HttpProperties properties;

	private final BodyLimit limit;

	private final BodyParser parser;

	private final RequestMemoryLimiter memoryLimiter;

	JsonLineReader(HttpProperties properties, LimitProperties limits, BodyLimits bodies,
			RequestMemoryLimiter memoryLimiter) {
		this.properties = properties;
		this.parser = BodyParser.ofLines(properties);
		this.memoryLimiter = memoryLimiter;
		long event = limits.eventSize().toBytes();
		this.limit = new BodyLimit(Math.min(event, bodies.together()) + AROUND, (event <= bodies.together())
				? "agent-sessions.limits.event-size" : "agent-sessions.limits.event-size, a tenth of the heap at most");
	}

	/**
	 * Opens the body of a request.
	 * @throws SessionException.Unavailable if there are too many such bodies at once
	 */
	public JsonLines open(HttpServletRequest request) throws IOException {
		MemoryBudget.Share memory = this.memoryLimiter.ofLines();
		BodyLines lines = new BodyLines(request.getInputStream(), this.limit, this.properties.bodyTimeout(), memory);
		return new JsonLines(lines, memory, this.parser, this.memoryLimiter);
	}

}
