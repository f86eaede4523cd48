package dev.agentsessions.session;

import java.time.Instant;

/**
 * The right to go on with a session whose import has begun.
 *
 * @param until until when nobody clears away what there is of it, by the clock of the
 * store
 */
public record ImportLease(Instant until) {

}
