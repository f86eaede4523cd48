package dev.agentsessions.session.report;

import java.time.Instant;

/**
 * A turn, a day, a user or a model, and what it has spent.
 *
 * @param name the id of the invocation, the day, the user or the model; blank for events
 * without one
 * @param seq the seq of its first event
 * @param start the time of its first event
 * @param usage what it has spent
 */
public record UsageRow(String name, long seq, Instant start, Usage usage) {

}
