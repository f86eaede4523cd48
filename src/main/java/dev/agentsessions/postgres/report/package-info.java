/**
 * Reads what events have spent, and which events report an error. The bodies of events
 * are large, and the counts are short, so PostgreSQL takes the counts out of the bodies.
 * An index has only the events that report an error.
 */
@NullMarked
package dev.agentsessions.postgres.report;

import org.jspecify.annotations.NullMarked;
