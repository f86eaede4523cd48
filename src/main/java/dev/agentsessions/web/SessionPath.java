package dev.agentsessions.web;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.util.UriComponentsBuilder;

import dev.agentsessions.session.SessionName;

/**
 * Builds the path of a session, without a host: only the caller knows the name under
 * which it reaches the service.
 */
public final class SessionPath {

	private SessionPath() {
	}

	/** Returns the path of a session, with its names percent-encoded. */
	public static String of(SessionName name, HttpServletRequest request) {
		return UriComponentsBuilder.fromPath(request.getContextPath() + "/apps/{app}/users/{user}/sessions/{session}")
			.encode()
			.build()
			.expand(name.appName(), name.userId(), name.sessionId())
			.toUriString();
	}

}
