/** The tokens of events and turns, and the pages with what sessions have spent. */
@NullMarked
package dev.agentsessions.console.report;

import org.jspecify.annotations.NullMarked;
