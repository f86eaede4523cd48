/**
 * Append and read events. {@link dev.agentsessions.session.event.EventService} is what
 * dialects call.
 */
@NamedInterface("event")
@NullMarked
package dev.agentsessions.session.event;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
