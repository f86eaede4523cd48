/** The table {@code pending_calls}: function calls that wait for an answer. */
@NullMarked
package dev.agentsessions.postgres.pending;

import org.jspecify.annotations.NullMarked;
