package dev.agentsessions.web.body;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

import dev.agentsessions.web.ApiDialects;
import dev.agentsessions.web.BodyLimit;
import dev.agentsessions.web.HttpProperties;

/**
 * Knows how large the body of a request may be, and all bodies together: a body is held
 * several times over while it is worked on.
 */
@Component
public class BodyLimits {

	/** The share of the heap that bodies may have, as they are sent. */
	private static final int SHARE_OF_HEAP = 10;

	private final BodyLimit usual;

	private final ApiDialects dialects;

	BodyLimits(HttpProperties properties, ApiDialects dialects) {
		this.usual = new BodyLimit(properties.maxBodySize().toBytes(), "agent-sessions.max-body-size");
		this.dialects = dialects;
	}

	/** How many bytes bodies may have that are worked on at the same time. */
	long together() {
		return Math.max(this.usual.bytes(), Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
	}

	/** How large the body of this request may be. */
	BodyLimit of(HttpServletRequest request) {
		BodyLimit wanted = this.dialects.of(request).bodyLimit(this.usual);
		return (wanted.bytes() <= together()) ? wanted
				: new BodyLimit(together(), wanted.setting() + ", a tenth of the heap at most");
	}

}
