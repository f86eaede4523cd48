/** Routes that search the sessions of a user, and routes of facts. */
@NullMarked
package dev.agentsessions.adk.memory;

import org.jspecify.annotations.NullMarked;
