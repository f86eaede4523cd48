/**
 * Who may hold a connection, and for how long. {@link Lanes} has the table of all lanes,
 * {@link Lane} the rules for each of them.
 */
@NullMarked
package dev.agentsessions.postgres.lanes;

import org.jspecify.annotations.NullMarked;
