/** The tables {@code state} and {@code initial_state}. */
@NullMarked
package dev.agentsessions.postgres.state;

import org.jspecify.annotations.NullMarked;
