/**
 * Function calls that wait for an answer.
 */
@NullMarked
package dev.agentsessions.console.pending;

import org.jspecify.annotations.NullMarked;
