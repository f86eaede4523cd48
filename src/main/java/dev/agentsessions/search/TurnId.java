package dev.agentsessions.search;

import java.util.UUID;

/**
 * The id of a hit that is an event.
 *
 * @param sessionKey the key of its session, so no later session of the same name is meant
 * @param seq its seq
 */
public record TurnId(UUID sessionKey, long seq) {

	@Override
	public String toString() {
		return "event-" + this.sessionKey + "-" + this.seq;
	}

}
