package dev.agentsessions.adk;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.boot.info.BuildProperties;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.session.manage.SessionService;

/** What ADK's server tells about itself. */
@RestController
class ServiceInfoController {

	private final SessionService sessions;

	private final String version;

	ServiceInfoController(SessionService sessions, BuildProperties build) {
		this.sessions = sessions;
		this.version = String.valueOf(build.getVersion());
	}

	/** The names of all apps that have a session. */
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
	 * Which program answers.
	 *
	 * @param version its version
	 * @param language the language it is written in
	 * @param languageVersion the version of the language; that of the runtime would say
	 * which of its faults are not mended yet
	 */
	record Version(String version, String language, @JsonProperty("language_version") String languageVersion) {

	}

}
