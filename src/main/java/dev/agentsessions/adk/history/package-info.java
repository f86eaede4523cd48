/**
 * Sessions at an earlier moment, forks, rewinds, and state with the events that set it.
 */
@NullMarked
package dev.agentsessions.adk.history;

import org.jspecify.annotations.NullMarked;
