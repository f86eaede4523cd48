/** The table {@code events}: its rows, and the statements that list them. */
@NullMarked
package dev.agentsessions.postgres.event;

import org.jspecify.annotations.NullMarked;
