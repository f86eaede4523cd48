package dev.agentsessions.http;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

/**
 * Knows how large the body of a request may be, and all bodies together: a body is held
 * several times over while it is worked on.
 */
@Component
class BodyLimits {

	/** The share of the heap that bodies may have, as they are sent. */
	private static final int SHARE_OF_HEAP = 10;

	private final BodyLimit usual;

	private final List<LargerBodies> larger;

	BodyLimits(HttpProperties properties, List<LargerBodies> larger) {
		this.usual = new BodyLimit(properties.maxBodySize().toBytes(), "agent-sessions.max-body-size");
		this.larger = larger;
	}

	/** How many bytes bodies may have that are worked on at the same time. */
	long together() {
		return Math.max(this.usual.bytes(), Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
	}

	/** How large the body of this request may be. */
	BodyLimit of(HttpServletRequest request) {
		return this.larger.stream()
			.filter((bodies) -> bodies.paths().matcher(request.getRequestURI()).matches())
			.findFirst()
			.map(this::of)
			.orElse(this.usual);
	}

	private BodyLimit of(LargerBodies bodies) {
		long wanted = bodies.limit().toBytes();
		return (wanted <= together()) ? new BodyLimit(wanted, bodies.setting())
				: new BodyLimit(together(), bodies.setting() + ", a tenth of the heap at most");
	}

}
