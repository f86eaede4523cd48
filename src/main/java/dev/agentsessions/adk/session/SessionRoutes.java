package dev.agentsessions.adk.session;

import java.util.Set;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.agentsessions.adk.session.SessionController.SessionParameters;
import dev.agentsessions.web.DirectRequest;
import dev.agentsessions.web.DirectRequest.PlainParameters;
import dev.agentsessions.web.DirectRoute;

/** The direct route of the read of a session. */
@Configuration(proxyBeanMethods = false)
class SessionRoutes {

	private static final PlainParameters<SessionParameters> PARAMETERS = new PlainParameters<>(SessionParameters.class);

	private final SessionController sessions;

	SessionRoutes(SessionController sessions) {
		this.sessions = sessions;
	}

	@Bean
	DirectRoute sessionRoute() {
		return new DirectRoute("GET", "", PARAMETERS.types(), Set.of(), this::get);
	}

	private AdkSession get(DirectRequest request, HttpServletResponse response) {
		return this.sessions.getSession(request.name(), PARAMETERS.of(request), request.servletRequest(), response);
	}

}
