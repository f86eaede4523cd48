package dev.agentsessions.http;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.LimitProperties;

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

	/** Opens the body of a request. */
	public JsonLines open(HttpServletRequest request) throws IOException {
		BodyLines lines = new BodyLines(request.getInputStream(), this.limit, this.properties.bodyTimeout(),
				RequestMemoryLimiter.of(request));
		return new JsonLines(lines, this.parser, this.memoryLimiter);
	}

}
