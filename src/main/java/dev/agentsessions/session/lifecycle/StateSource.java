package dev.agentsessions.session.lifecycle;

import java.time.Instant;

/**
 * The event that set a key of the state.
 *
 * @param seq its seq
 * @param eventId its id
 * @param author its author
 * @param time the time that the sender gave it, in microseconds
 */
public record StateSource(long seq, String eventId, String author, Instant time) {

}
