/**
 * Reads what events have spent. The bodies of events are large, and the counts are short,
 * so PostgreSQL takes the counts out of the bodies.
 *
 * <p>
 * Reads events that report an error, along the index that has only those.
 */
@NullMarked
package dev.agentsessions.postgres.report;

import org.jspecify.annotations.NullMarked;
