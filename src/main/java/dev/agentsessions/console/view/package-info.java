/**
 * What the pages share: addresses, times and texts cut to a readable length, and what the
 * caller may do.
 */
@NullMarked
package dev.agentsessions.console.view;

import org.jspecify.annotations.NullMarked;
