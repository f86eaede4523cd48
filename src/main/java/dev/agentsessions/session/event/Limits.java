package dev.agentsessions.session.event;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.LimitProperties;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException.TooLarge;
import dev.agentsessions.state.StateDelta;

/** Refuses what is too much, the same in all dialects. */
@Component
public class Limits {

	/** What an event gets here: the id, the timestamp and the like that it lacked. */
	private static final int FILLED_IN = 256;

	/** At most, in UTF-8; a pair of surrogates has four. */
	private static final int BYTES_OF_CHARACTER = 3;

	private final LimitProperties properties;

	public Limits(LimitProperties properties) {
		this.properties = properties;
	}

	public int pageSize() {
		return this.properties.pageSize();
	}

	public int templateSize() {
		return (int) Math.min(Integer.MAX_VALUE, this.properties.templateSize().toBytes());
	}

	/** Checks events that are to be appended. */
	public void check(List<NewEvent> events) {
		check(events, events.stream().map(NewEvent::delta).reduce(StateDelta.EMPTY, StateDelta::then));
	}

	/** Checks the events of one request and the state that the request changes. */
	public void check(List<NewEvent> events, StateDelta delta) {
		if (events.size() > this.properties.eventsPerRequest()) {
			throw new TooLarge("The request", this.properties.eventsPerRequest(), "events",
					"agent-sessions.limits.events-per-request");
		}
		events.forEach(this::checkSize);
		check(delta);
	}

	/** Checks how many keys a request changes. */
	public void check(StateDelta delta) {
		if (delta.changes().size() > this.properties.deltaKeys()) {
			throw new TooLarge("The change of the state", this.properties.deltaKeys(), "keys",
					"agent-sessions.limits.delta-keys");
		}
	}

	public void check(SessionDetails details) {
		long limit = this.properties.detailsSize().toBytes();
		if (isLonger(details.text(), limit)) {
			throw new TooLarge("The display name with the labels", limit, "bytes",
					"agent-sessions.limits.details-size");
		}
	}

	/** Checks one event, wherever it comes from. */
	void checkSize(NewEvent event) {
		long limit = this.properties.eventSize().toBytes();
		if (isLonger(event.body().text(), limit + FILLED_IN)) {
			throw new TooLarge("The event", limit, "bytes", "agent-sessions.limits.event-size");
		}
	}

	/** Whether a text has more bytes than so many; most are not even counted. */
	private static boolean isLonger(String text, long bytes) {
		return text.length() > bytes
				|| text.length() > bytes / BYTES_OF_CHARACTER && text.getBytes(StandardCharsets.UTF_8).length > bytes;
	}

}
