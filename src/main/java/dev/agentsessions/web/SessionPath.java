package dev.agentsessions.web;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.util.UriComponentsBuilder;

import dev.agentsessions.session.SessionKey;

/**
 * Where a session is read: a path without a host, because only the caller knows by which
 * name the service was reached.
 */
public final class SessionPath {

	private SessionPath() {
	}

	/** The path of a session, its names percent-encoded. */
	public static String of(SessionKey key, HttpServletRequest request) {
		return UriComponentsBuilder.fromPath(request.getContextPath() + "/apps/{app}/users/{user}/sessions/{session}")
			.encode()
			.build()
			.expand(key.appName(), key.userId(), key.sessionId())
			.toUriString();
	}

}
