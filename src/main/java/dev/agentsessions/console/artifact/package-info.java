/** The pages of the artifacts of a session and its user. */
@NullMarked
package dev.agentsessions.console.artifact;

import org.jspecify.annotations.NullMarked;
