package dev.agentsessions.vertex;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.vertex.Operation.OperationName;
import dev.agentsessions.vertex.ReasoningEngine.ReasoningEngines;
import dev.agentsessions.vertex.event.WireEvents.ApiVersion;
import dev.agentsessions.vertex.event.WireEvents.ClientLibrary;

/**
 * Returns the results of operations. ADK Java requests one after every creation, possibly
 * from another replica than the one that created the session.
 */
@RestController
class OperationController {

	private static final String OPERATION = "/operations/{operation}";

	private final SessionService sessions;

	private final ReasoningEngines engines;

	OperationController(SessionService sessions, ReasoningEngines engines) {
		this.sessions = sessions;
		this.engines = engines;
	}

	@GetMapping(ApiVersion.PATTERN + "/projects/{project}/locations/{location}" + OPERATION)
	Operation getOperation(@PathVariable String version, @PathVariable String project, @PathVariable String location,
			@PathVariable String operation, HttpServletRequest request) {
		OperationName name = name(operation);
		ReasoningEngine engine = this.engines.engine(ApiVersion.of(version), project, location, name.engineId());
		return result(engine, name, name.inLocation(engine), request);
	}

	@GetMapping({ ReasoningEngine.PATH + OPERATION, ReasoningEngine.EXPRESS_PATH + OPERATION })
	Operation getOperationOfEngine(ReasoningEngine engine, @PathVariable String operation, HttpServletRequest request) {
		OperationName name = nameOf(engine, operation);
		return result(engine, name, engine.name() + "/operations/" + operation, request);
	}

	@GetMapping({ ReasoningEngine.PATH + "/sessions/{sessionId}" + OPERATION,
			ReasoningEngine.EXPRESS_PATH + "/sessions/{sessionId}" + OPERATION })
	Operation getOperationOfSession(ReasoningEngine engine, @PathVariable String operation,
			HttpServletRequest request) {
		OperationName name = nameOf(engine, operation);
		return result(engine, name, name.inSession(engine), request);
	}

	private Operation result(ReasoningEngine engine, OperationName operation, String name, HttpServletRequest request) {
		if (operation.action() == OperationName.Action.DELETE) {
			return Operation.deleted(name, engine.version());
		}
		if (operation.action() == OperationName.Action.MEMORY) {
			return Operation.ended(name);
		}
		Session session = this.sessions.get(this.sessions.locate(Access.READ, engine.appName(), operation.sessionId()),
				EventWindow.NONE);
		return Operation.created(name, engine.version(),
				SessionResource.of(engine, session, ClientLibrary.of(request)));
	}

	private static OperationName nameOf(ReasoningEngine engine, String operation) {
		OperationName name = name(operation);
		if (!name.engineId().equals(engine.id())) {
			throw notFound();
		}
		return name;
	}

	private static OperationName name(String operation) {
		return OperationName.of(operation).orElseThrow(OperationController::notFound);
	}

	private static ResponseStatusException notFound() {
		return new ResponseStatusException(HttpStatus.NOT_FOUND, "Operation not found");
	}

}
