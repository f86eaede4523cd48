/**
 * Creates, reads, lists, changes and deletes sessions; shared state; users.
 *
 * <p>
 * Sessions at an earlier moment, forks, rewinds, and state with the events that set it.
 *
 * <p>
 * Leases of sessions.
 *
 * <p>
 * Function calls that wait for an answer.
 *
 * <p>
 * Instruction templates filled with state.
 */
@NullMarked
package dev.agentsessions.adk.session;

import org.jspecify.annotations.NullMarked;
