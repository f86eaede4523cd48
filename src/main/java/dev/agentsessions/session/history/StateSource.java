package dev.agentsessions.session.history;

import java.time.Instant;

/**
 * The event that gave a key of the state its value.
 *
 * @param seq its place in the history
 * @param eventId its id
 * @param author who sent it
 * @param time the time the sender gave it, in microseconds
 */
public record StateSource(long seq, String eventId, String author, Instant time) {

}
