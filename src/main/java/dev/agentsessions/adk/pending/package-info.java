/** Function calls that wait for an answer. */
@NullMarked
package dev.agentsessions.adk.pending;

import org.jspecify.annotations.NullMarked;
