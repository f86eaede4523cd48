package dev.agentsessions.session;

import java.util.List;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException.PayloadTooLarge;
import dev.agentsessions.state.StateDelta;

/** Refuses what is too much, the same in all dialects. */
@Component
class Limits {

	/** What an event gets here: the id, the timestamp and the like that it lacked. */
	private static final int FILLED_IN = 256;

	private final LimitProperties properties;

	Limits(LimitProperties properties) {
		this.properties = properties;
	}

	int pageSize() {
		return this.properties.pageSize();
	}

	int templateSize() {
		return (int) Math.min(Integer.MAX_VALUE, this.properties.templateSize().toBytes());
	}

	void check(CreateSession request) {
		check(request.details());
		checkEvents(request.events());
		checkKeys(request.delta());
	}

	/** Checks events that are to be appended. */
	void check(List<NewEvent> events) {
		checkEvents(events);
		checkKeys(events.stream().map(NewEvent::delta).reduce(StateDelta.EMPTY, StateDelta::then));
	}

	void check(StateDelta changes) {
		checkKeys(changes);
	}

	void check(SessionDetails details) {
		long limit = this.properties.detailsSize().toBytes();
		if (Utf8.isLonger(details.text(), limit)) {
			throw new PayloadTooLarge("The display name with the labels", limit, "bytes",
					"agent-sessions.limits.details-size");
		}
	}

	private void checkEvents(List<NewEvent> events) {
		if (events.size() > this.properties.eventsPerRequest()) {
			throw new PayloadTooLarge("The request", this.properties.eventsPerRequest(), "events",
					"agent-sessions.limits.events-per-request");
		}
		events.forEach(this::checkSize);
	}

	/** Checks one event, wherever it comes from. */
	void checkSize(NewEvent event) {
		long limit = this.properties.eventSize().toBytes();
		if (Utf8.isLonger(event.body().text(), limit + FILLED_IN)) {
			throw new PayloadTooLarge("The event", limit, "bytes", "agent-sessions.limits.event-size");
		}
	}

	private void checkKeys(StateDelta delta) {
		if (delta.changes().size() > this.properties.deltaKeys()) {
			throw new PayloadTooLarge("The change of the state", this.properties.deltaKeys(), "keys",
					"agent-sessions.limits.delta-keys");
		}
	}

}
