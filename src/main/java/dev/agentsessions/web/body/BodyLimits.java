package dev.agentsessions.web.body;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.heap.HeapShare;
import dev.agentsessions.web.ApiDialect.ApiDialects;
import dev.agentsessions.web.BodyLimit;
import dev.agentsessions.web.HttpProperties;

/**
 * Knows the size limit of the body of a request, and of all concurrent bodies together:
 * the memory holds several copies of a body while it is processed.
 */
@Component
public class BodyLimits {

	private final BodyLimit defaultLimit;

	private final ApiDialects dialects;

	BodyLimits(HttpProperties properties, ApiDialects dialects) {
		this.defaultLimit = new BodyLimit(properties.maxBodySize().toBytes(), "agent-sessions.max-body-size");
		this.dialects = dialects;
	}

	/** Returns the maximum size in bytes of all concurrent bodies together. */
	long totalBytes() {
		return Math.max(this.defaultLimit.bytes(), HeapShare.LARGE_BODIES.bytes());
	}

	/** Returns the size limit of the body of a request. */
	BodyLimit of(HttpServletRequest request) {
		BodyLimit limit = this.dialects.of(request).bodyLimit(this.defaultLimit);
		return (limit.bytes() <= totalBytes()) ? limit
				: new BodyLimit(totalBytes(), limit.setting() + ", a tenth of the heap at most");
	}

}
