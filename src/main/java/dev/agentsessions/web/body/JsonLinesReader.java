package dev.agentsessions.web.body;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.LimitProperties;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.BodyLimit;
import dev.agentsessions.web.HttpProperties;

/**
 * Opens bodies that have one JSON object in each line, and may be as long as they like.
 */
@Component
public class JsonLinesReader {

	/** What a line has around the largest event. */
	private static final int AROUND = 64 * 1024;

	private final HttpProperties properties;

	private final BodyLimit limit;

	private final BodyParser parser;

	private final RequestMemoryFilter memoryLimiter;

	private final ImportTurns turns;

	JsonLinesReader(HttpProperties properties, LimitProperties limits, BodyLimits bodies,
			RequestMemoryFilter memoryLimiter, ImportTurns turns) {
		this.properties = properties;
		this.turns = turns;
		this.parser = BodyParser.ofLines(properties);
		this.memoryLimiter = memoryLimiter;
		long event = limits.eventSize().toBytes();
		this.limit = new BodyLimit(Math.min(event, bodies.together()) + AROUND, (event <= bodies.together())
				? "agent-sessions.limits.event-size" : "agent-sessions.limits.event-size, a tenth of the heap at most");
	}

	/**
	 * Waits until it is the turn of a request, and opens its body.
	 * @throws SessionException.Unavailable if there are too many such bodies at once
	 */
	public JsonLines open(HttpServletRequest request) throws IOException {
		LineMemory memory = this.memoryLimiter.ofLines(BodyLines.COPIES * this.limit.bytes());
		BodyLines lines = new BodyLines(request.getInputStream(), this.limit, this.properties.bodyTimeout(), memory);
		return new JsonLines(this.turns.take(request.getRemoteUser()), lines, memory, this.parser, this.memoryLimiter);
	}

}
