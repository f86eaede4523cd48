package dev.agentsessions.security;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.session.AuditLog;
import dev.agentsessions.web.RequestId;

/**
 * Logs each recorded action as a line of JSON, under a logger of its own. What the
 * service does by itself has no caller.
 */
@Component
class AuditLines implements AuditLog {

	private static final Logger logger = LoggerFactory.getLogger("dev.agentsessions.audit");

	/**
	 * Names may contain characters that some readers of logs take for the end of a line.
	 */
	private static final JsonMapper JSON = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

	private final CurrentCaller callers;

	AuditLines(CurrentCaller callers) {
		this.callers = callers;
	}

	@Override
	public void add(String action, Map<String, ?> details) {
		add(action, SecurityContextHolder.getContext().getAuthentication(), details);
	}

	/** Records an action of a caller who signs in just now. */
	void add(String action, @Nullable Authentication caller, Map<String, ?> details) {
		Map<String, Object> line = new LinkedHashMap<>();
		line.put("time", Instant.now().toString());
		line.put("action", action);
		if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
			HttpServletRequest request = attributes.getRequest();
			this.callers.of(caller).ifPresent((known) -> {
				line.put("caller", known.name());
				line.put("role", known.role());
			});
			line.put("address", request.getRemoteAddr());
			line.put(RequestId.NAME, RequestId.of(request));
		}
		line.putAll(new TreeMap<>(details));
		logger.info(JSON.writeValueAsString(line));
	}

}
