/**
 * The table {@code pending_calls}: function calls that wait for an answer.
 *
 * <p>
 * A row is valid from one event up to another, so the table also has the calls that
 * waited at any earlier moment. Function calls that begin to wait, answers of users, and
 * rewinds change it. {@link PendingCallStatements} does this by further statements of the
 * transaction that stores the event, whichever way the event is stored.
 */
@NullMarked
package dev.agentsessions.postgres.pending;

import org.jspecify.annotations.NullMarked;
