package dev.agentsessions.adk.session;

import java.util.Map;
import java.util.Set;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.agentsessions.web.direct.DirectRequest;
import dev.agentsessions.web.direct.DirectRoute;
import dev.agentsessions.web.direct.PlainValue;

/** The direct route of the read of a session. */
@Configuration(proxyBeanMethods = false)
class SessionRoutes {

	private static final Map<String, PlainValue> PARAMETERS = Map.of("numRecentEvents", PlainValue.NUMBER,
			"afterTimestamp", PlainValue.TEXT, "fromSeq", PlainValue.NUMBER, "view", PlainValue.TEXT, "atSeq",
			PlainValue.NUMBER, "parts", PlainValue.TEXT, "includeRevision", PlainValue.FLAG, "seqs", PlainValue.FLAG);

	private final SessionController sessions;

	SessionRoutes(SessionController sessions) {
		this.sessions = sessions;
	}

	@Bean
	DirectRoute sessionRoute() {
		return new DirectRoute("GET", "", PARAMETERS, Set.of(), this::get);
	}

	private AdkSession get(DirectRequest request, HttpServletResponse response) {
		return this.sessions.getSession(request.key(), request.integer("numRecentEvents"),
				request.text("afterTimestamp"), request.number("fromSeq"), request.text("view"),
				request.number("atSeq"), request.text("parts"), request.flag("includeRevision"), request.flag("seqs"),
				request.servletRequest(), response);
	}

}
