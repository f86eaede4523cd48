/**
 * The page of a session at a moment, its parts and its forms.
 */
@NullMarked
package dev.agentsessions.console.session;

import org.jspecify.annotations.NullMarked;
