/**
 * Routes of sessions: creates, reads, lists, changes and deletes them; sessions at an
 * earlier moment, forks and rewinds; leases; function calls that wait for an answer;
 * instruction templates filled with state; shared state; users.
 */
@NullMarked
package dev.agentsessions.adk.session;

import org.jspecify.annotations.NullMarked;
