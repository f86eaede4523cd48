/** Searches what was said in the sessions of a user. */
@NullMarked
package dev.agentsessions.adk.search;

import org.jspecify.annotations.NullMarked;
