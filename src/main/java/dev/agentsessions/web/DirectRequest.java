package dev.agentsessions.web;

import java.util.Map;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/**
 * A request in the plain form.
 *
 * @param servletRequest the request itself
 * @param names the names in the path
 * @param parameters the query parameters that the request has
 * @param content the body; {@code null} for a route without a JSON object
 */
public record DirectRequest(HttpServletRequest servletRequest, SessionNames names, Map<String, String> parameters,
		@Nullable JsonObject content) {

	/**
	 * Returns the session that the path names.
	 * @throws SessionException.InvalidArgument if one of the names is not allowed
	 */
	public SessionKey key() {
		return new SessionKey(this.names.appName(), this.names.userId(), this.names.sessionId());
	}

	public @Nullable String header(String name) {
		return this.servletRequest.getHeader(name);
	}

	public @Nullable String text(String parameter) {
		return this.parameters.get(parameter);
	}

	/** Returns the body. Only a route with {@code POST} has one. */
	public JsonObject body() {
		return Objects.requireNonNull(this.content);
	}

}
