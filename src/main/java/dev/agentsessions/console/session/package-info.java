/**
 * The page of a session at a moment, its parts and its forms, and the answers to function
 * calls that wait.
 *
 * <p>
 * One page compares two sessions: their events from where they part, and their states.
 * The events before that are compared once, page by page, and no page shows more events
 * of a session than its own page does.
 */
@NullMarked
package dev.agentsessions.console.session;

import org.jspecify.annotations.NullMarked;
