/**
 * Export and import of whole sessions.
 *
 * <p>
 * An import writes a small session in one transaction. It writes a larger one under a new
 * key, about a thousand events in a transaction, and the last transaction makes it a
 * session. Each transaction moves the time in {@code keys_to_sweep} an hour ahead. An
 * import that ends early leaves its key to the sweep. An import that pauses for more than
 * an hour loses its key and gives up.
 */
@NullMarked
package dev.agentsessions.postgres.transfer;

import org.jspecify.annotations.NullMarked;
