/**
 * What model calls cost.
 */
@NullMarked
package dev.agentsessions.console.usage;

import org.jspecify.annotations.NullMarked;
