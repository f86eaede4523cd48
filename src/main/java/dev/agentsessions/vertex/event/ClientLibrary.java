package dev.agentsessions.vertex.event;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The client library that calls, by what it says of itself. Used only where a client
 * needs another answer than all others.
 *
 * @param userAgent the header {@code User-Agent}
 */
public record ClientLibrary(@Nullable String userAgent) {

	/** The client library that sent a request. */
	public static ClientLibrary of(HttpServletRequest request) {
		return new ClientLibrary(request.getHeader(HttpHeaders.USER_AGENT));
	}

	/** Whether this is ADK Java, all versions up to 1.8. */
	public boolean isAdkJava() {
		return says("gl-java/") && says("google-genai-sdk/0.1.0");
	}

	/** Whether this is ADK Java, Python or TypeScript. */
	public boolean isGenAiSdk() {
		return says("google-genai-sdk");
	}

	private boolean says(String name) {
		return this.userAgent != null && this.userAgent.contains(name);
	}

}
