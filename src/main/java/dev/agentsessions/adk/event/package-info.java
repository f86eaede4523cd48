/** Appends, lists and watches events; serves parts of events as files. */
@NullMarked
package dev.agentsessions.adk.event;

import org.jspecify.annotations.NullMarked;
