/** Stores the sessions, the scoped state and the events of AI agents. */
@NullMarked
package dev.agentsessions;

import org.jspecify.annotations.NullMarked;
