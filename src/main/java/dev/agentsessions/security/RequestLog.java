package dev.agentsessions.security;

import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatusCode;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.session.AuditLog;
import dev.agentsessions.web.ApiDialect.ApiDialects;
import dev.agentsessions.web.RequestId;
import dev.agentsessions.web.SessionPath.PathVariables;

/**
 * Logs each request with its caller, status and duration. The path contains the ids.
 * Query, headers and bodies are not logged, so the log never contains content, keys or
 * tokens. In a JSON log each value is also a field.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class RequestLog extends OncePerRequestFilter {

	private static final Logger logger = LoggerFactory.getLogger(RequestLog.class);

	/** Characters that could end a line or forge another field. */
	private static final Pattern UNPRINTABLE = Pattern.compile("[^\\p{Graph}]");

	private final RequestAttributeSecurityContextRepository contexts = new RequestAttributeSecurityContextRepository();

	private final CurrentCaller callers;

	private final ApiDialects dialects;

	/**
	 * Whether a log is structured. A text log has no fields, and adding them takes time.
	 */
	private final boolean structured;

	RequestLog(CurrentCaller callers, ApiDialects dialects, Environment environment) {
		this.callers = callers;
		this.dialects = dialects;
		this.structured = environment.containsProperty("logging.structured.format.console")
				|| environment.containsProperty("logging.structured.format.file");
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		return !logger.isInfoEnabled();
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		long start = System.nanoTime();
		try {
			chain.doFilter(request, response);
		}
		finally {
			Level level = level(request.getRequestURI(), response.getStatus());
			if (logger.isEnabledForLevel(level)) {
				log(level, request, response.getStatus(), TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start));
			}
		}
	}

	/**
	 * Returns DEBUG for the frequent requests of monitoring. Rejected requests to these
	 * paths are logged at INFO.
	 */
	private static Level level(String path, int status) {
		boolean monitoring = path.equals("/health") || path.startsWith("/actuator/health")
				|| path.equals("/actuator/prometheus") || path.startsWith("/actuator/metrics");
		return (monitoring && !HttpStatusCode.valueOf(status).is4xxClientError()) ? Level.DEBUG : Level.INFO;
	}

	private void log(Level level, HttpServletRequest request, int status, long micros) {
		String caller = callerName(request);
		LoggingEventBuilder line = logger.atLevel(level);
		if (this.structured) {
			addFields(line, request, status, micros, caller);
		}
		line.log("{} {} {} {}us {}", request.getMethod(), request.getRequestURI(), status, micros, caller);
	}

	private void addFields(LoggingEventBuilder line, HttpServletRequest request, int status, long micros,
			String caller) {
		line.addKeyValue("method", request.getMethod())
			.addKeyValue("status", status)
			.addKeyValue("duration", micros)
			.addKeyValue("caller", caller);
		add(line, "route", request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE));
		Map<String, String> names = PathVariables.of(request);
		String app = names.get("appName");
		add(line, "app", (app != null) ? app : this.dialects.appName(request));
		add(line, "session", names.get("sessionId"));
	}

	private static void add(LoggingEventBuilder line, String field, @Nullable Object value) {
		if (value != null && !value.equals("")) {
			line.addKeyValue(field, value.toString());
		}
	}

	private String callerName(HttpServletRequest request) {
		SecurityContext context = this.contexts.loadDeferredContext(request).get();
		String name = this.callers.of(context.getAuthentication()).map(Caller::name).orElse("-");
		return UNPRINTABLE.matcher(name).replaceAll("_");
	}

	/**
	 * Logs each recorded action as a line of JSON, under a logger of its own. What the
	 * service does by itself has no caller.
	 */
	@Component
	static class AuditLines implements AuditLog {

		private static final Logger logger = LoggerFactory.getLogger("dev.agentsessions.audit");

		/**
		 * Names may contain characters that some readers of logs take for the end of a
		 * line.
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

}
