package dev.agentsessions.adk.artifact;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.DirectRequest;
import dev.agentsessions.web.DirectRoute;
import dev.agentsessions.web.DirectRoute.PlainValue;
import dev.agentsessions.web.SessionPath.PathVariables;

/** The direct route of saves. */
@Configuration(proxyBeanMethods = false)
class ArtifactRoutes {

	private static final String PART = "part";

	private static final String DISPLAY_NAME = "displayName";

	private final ArtifactController artifacts;

	ArtifactRoutes(ArtifactController artifacts) {
		this.artifacts = artifacts;
	}

	@Bean
	DirectRoute saveRoute() {
		return new DirectRoute("PUT", "/artifacts/{artifact}",
				Map.of(PART, PlainValue.TEXT, DISPLAY_NAME, PlainValue.TEXT),
				Set.of(HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH, ApiHeaders.IDEMPOTENCY_KEY), this::save);
	}

	private ArtifactMetadata save(DirectRequest request, HttpServletResponse response) throws IOException {
		Map<String, String> names = PathVariables.of(request.servletRequest());
		return this.artifacts.putArtifact(ArtifactOwner.of(names), PathVariables.required(names, "artifact"),
				request.header(ApiHeaders.IDEMPOTENCY_KEY), request.text(PART), request.text(DISPLAY_NAME),
				request.servletRequest(), response);
	}

	/**
	 * Whose artifacts a path names.
	 *
	 * @param user the user
	 * @param session the session; {@code null} if the path has none
	 */
	record ArtifactOwner(StateOwner user, @Nullable SessionName session) {

		static ArtifactOwner of(Map<String, String> path) {
			StateOwner user = new StateOwner(PathVariables.required(path, "appName"),
					PathVariables.required(path, "userId"));
			String sessionId = path.get("sessionId");
			return new ArtifactOwner(user, (sessionId != null) ? new SessionName(user, sessionId) : null);
		}

		/** Returns an artifact by its name. */
		ArtifactName artifact(String name) {
			return (this.session != null) ? ArtifactName.of(this.session, name) : ArtifactName.of(this.user, name);
		}

	}

}
