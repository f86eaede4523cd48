package dev.agentsessions.adk.event;

import java.util.Map;
import java.util.Set;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.agentsessions.adk.Preconditions;
import dev.agentsessions.adk.event.AppendResponse.BatchAppendResponse;
import dev.agentsessions.adk.event.EventController.EventListParameters;
import dev.agentsessions.adk.event.EventController.EventListParameters.EventList;
import dev.agentsessions.web.DirectRequest;
import dev.agentsessions.web.DirectRequest.PlainParameters;
import dev.agentsessions.web.DirectRoute;
import dev.agentsessions.web.DirectRoute.PlainValue;

/** The direct routes of appends and lists of events. */
@Configuration(proxyBeanMethods = false)
class EventRoutes {

	private static final Map<String, PlainValue> OF_APPEND = Map.of(Preconditions.LAST_UPDATE_TIME, PlainValue.TEXT);

	private static final PlainParameters<EventListParameters> OF_LIST = new PlainParameters<>(
			EventListParameters.class);

	private final EventController events;

	EventRoutes(EventController events) {
		this.events = events;
	}

	@Bean
	DirectRoute appendRoute() {
		return new DirectRoute("POST", "/events", OF_APPEND, Preconditions.HEADERS, this::append);
	}

	@Bean
	DirectRoute batchRoute() {
		return new DirectRoute("POST", "/events:batch", OF_APPEND, Preconditions.HEADERS, this::appendAll);
	}

	@Bean
	DirectRoute eventListRoute() {
		return new DirectRoute("GET", "/events", OF_LIST.types(), Set.of(), (request, response) -> list(request));
	}

	private AppendResponse append(DirectRequest request, HttpServletResponse response) {
		return this.events.appendEvent(request.name(), Preconditions.of(request), request.body(), response);
	}

	private BatchAppendResponse appendAll(DirectRequest request, HttpServletResponse response) {
		return this.events.appendEvents(request.name(), Preconditions.of(request), request.body(), response);
	}

	private EventList list(DirectRequest request) {
		return this.events.listEvents(request.name(), OF_LIST.of(request), request.servletRequest());
	}

}
