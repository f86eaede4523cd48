package dev.agentsessions.adk;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.boot.info.BuildProperties;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.session.lifecycle.SessionService;

/** Serves the endpoints of ADK's server that describe the service itself. */
@RestController
class ServiceInfoController {

	private final SessionService sessions;

	private final String version;

	ServiceInfoController(SessionService sessions, BuildProperties build) {
		this.sessions = sessions;
		this.version = String.valueOf(build.getVersion());
	}

	/** Returns the names of all apps that have a session. */
	@GetMapping("/list-apps")
	List<String> listApps() {
		return this.sessions.appNames();
	}

	@GetMapping("/health")
	Map<String, String> health() {
		return Map.of("status", "ok");
	}

	@GetMapping("/version")
	Version version() {
		return new Version(this.version, "java", Integer.toString(Runtime.version().feature()));
	}

	/**
	 * The version of the service.
	 *
	 * @param version the version of the service
	 * @param language the programming language
	 * @param languageVersion the feature version of Java; the exact version would reveal
	 * which vulnerabilities are not fixed yet
	 */
	record Version(String version, String language, @JsonProperty("language_version") String languageVersion) {

	}

}
