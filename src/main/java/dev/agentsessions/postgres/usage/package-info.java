/**
 * Reads what events have spent. The bodies of events are large, and the counts are short,
 * so PostgreSQL takes the counts out of the bodies.
 */
@NullMarked
package dev.agentsessions.postgres.usage;

import org.jspecify.annotations.NullMarked;
