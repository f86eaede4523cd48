/** Routes that search the sessions of a user, and routes of facts. */
@NullMarked
package dev.agentsessions.adk.search;

import org.jspecify.annotations.NullMarked;
