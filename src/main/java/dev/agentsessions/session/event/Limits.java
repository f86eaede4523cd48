package dev.agentsessions.session.event;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException.TooLarge;
import dev.agentsessions.session.SessionProperties.LimitProperties;
import dev.agentsessions.state.StateDelta;

/** Refuses events and states that exceed a limit, the same in all dialects. */
@Component
public class Limits {

	/**
	 * The size that the service adds to an event: a missing id, a missing timestamp and
	 * the like.
	 */
	private static final int FILLED_IN_BYTES = 256;

	/** Maximum in UTF-8; a surrogate pair has four bytes. */
	private static final int MAX_BYTES_PER_CHAR = 3;

	private final LimitProperties properties;

	public Limits(LimitProperties properties) {
		this.properties = properties;
	}

	/** Returns the maximum number of items of a page. */
	public int pageSize() {
		return this.properties.pageSize();
	}

	/**
	 * Returns the maximum length of a template that is filled with the state, in
	 * characters.
	 */
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

	/** Checks the size of the display name and the labels. */
	public void check(SessionDetails details) {
		long limit = this.properties.detailsSize().toBytes();
		if (isLonger(details.text(), limit)) {
			throw new TooLarge("The display name with the labels", limit, "bytes",
					"agent-sessions.limits.details-size");
		}
	}

	/** Checks the size of one event. */
	void checkSize(NewEvent event) {
		long limit = this.properties.eventSize().toBytes();
		if (isLonger(event.body().text(), limit + FILLED_IN_BYTES)) {
			throw new TooLarge("The event", limit, "bytes", "agent-sessions.limits.event-size");
		}
	}

	/**
	 * Returns whether a text has more bytes than a limit; most texts need not be encoded
	 * for that.
	 */
	private static boolean isLonger(String text, long bytes) {
		return text.length() > bytes
				|| text.length() > bytes / MAX_BYTES_PER_CHAR && text.getBytes(StandardCharsets.UTF_8).length > bytes;
	}

}
