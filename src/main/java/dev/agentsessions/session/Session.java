package dev.agentsessions.session;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;

/**
 * A session as it was at one moment.
 *
 * @param key what names it
 * @param state the merged state, shared keys under their prefix; empty where it was not
 * asked for
 * @param events the events asked for, oldest first
 * @param version which version of the session it is
 * @param createTime when it was created, in microseconds; that of an imported session is
 * the one that it had elsewhere
 * @param lastUpdateTime when its newest event was stored, strictly increasing, in
 * microseconds
 * @param details what people call it
 * @param forkedFrom the session whose copy it began as; {@code null} for none
 */
public record Session(SessionKey key, Map<String, JsonText> state, EventStream events, SessionVersion version,
		Instant createTime, Instant lastUpdateTime, SessionDetails details, @Nullable ForkedFrom forkedFrom) {

	/** A session that began by itself. */
	public Session(SessionKey key, Map<String, JsonText> state, EventStream events, SessionVersion version,
			Instant createTime, Instant lastUpdateTime, SessionDetails details) {
		this(key, state, events, version, createTime, lastUpdateTime, details, null);
	}

	/** The session with its events in another form. */
	public Session withEvents(UnaryOperator<Event> form) {
		return new Session(this.key, this.state, this.events.in(form), this.version, this.createTime,
				this.lastUpdateTime, this.details, this.forkedFrom);
	}

	/** How many events the session ever got. */
	public long revision() {
		return this.version.revision();
	}

	/** Which session it is, whatever takes its name later. */
	public UUID birth() {
		return this.version.birth();
	}
}
