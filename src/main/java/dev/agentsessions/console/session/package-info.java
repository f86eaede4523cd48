/**
 * The page of a session at a moment, what it shows and what it changes.
 */
@NullMarked
package dev.agentsessions.console.session;

import org.jspecify.annotations.NullMarked;
