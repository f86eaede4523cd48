/** Reads events that report an error, along the index that has only those. */
@NullMarked
package dev.agentsessions.postgres.failure;

import org.jspecify.annotations.NullMarked;
