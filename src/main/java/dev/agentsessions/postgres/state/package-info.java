/**
 * The tables {@code state} and {@code initial_state}.
 *
 * <p>
 * {@code state} has the keys of sessions, of users and of apps. {@code scope_key} is the
 * key of the session, or the digest of the names of the user or the app. {@code
 * initial_state} has the state that sessions were created with; only questions about the
 * past, exports and forks read it
 * (docs/adr/0014-initial-state-has-a-table-of-its-own.md).
 *
 * <p>
 * {@link StateWriter} writes all state in the same way. One statement inserts or updates
 * the rows, sorted by {@code (scope_key, key)}. It sets a removed key to SQL NULL, which
 * locks its row. A later statement of the same transaction deletes the removed keys. (A
 * deletion in the first statement would look for the key in the snapshot from before it
 * waited for the session.)
 */
@NullMarked
package dev.agentsessions.postgres.state;

import org.jspecify.annotations.NullMarked;
