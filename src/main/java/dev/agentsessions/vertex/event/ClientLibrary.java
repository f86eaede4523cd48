package dev.agentsessions.vertex.event;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The client library of a request, by its {@code User-Agent}. Used only where a client
 * needs a different response from all others.
 *
 * @param userAgent the header {@code User-Agent}
 */
public record ClientLibrary(@Nullable String userAgent) {

	/** Returns the client library that sent a request. */
	public static ClientLibrary of(HttpServletRequest request) {
		return new ClientLibrary(request.getHeader(HttpHeaders.USER_AGENT));
	}

	/** Returns whether this is ADK Java, in any version up to 1.8. */
	public boolean isAdkJava() {
		return userAgentContains("gl-java/") && userAgentContains("google-genai-sdk/0.1.0");
	}

	/** Returns whether this is ADK Java, Python or TypeScript. */
	public boolean isGenAiSdk() {
		return userAgentContains("google-genai-sdk");
	}

	private boolean userAgentContains(String name) {
		return this.userAgent != null && this.userAgent.contains(name);
	}

}
