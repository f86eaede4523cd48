/** Instruction templates filled with state. */
@NullMarked
package dev.agentsessions.adk.template;

import org.jspecify.annotations.NullMarked;
