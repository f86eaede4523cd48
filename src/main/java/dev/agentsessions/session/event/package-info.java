/**
 * Appends and reads events. Dialects call
 * {@link dev.agentsessions.session.event.EventService}.
 *
 * <p>
 * On its way, an append is the JSON that was sent, then a {@link NewEvent}, then an
 * {@link EventService.AppendRequest} with its precondition, then rows in the store, then
 * an {@link AppendResult}.
 *
 * <p>
 * {@link EventMarks.EventKind} says what an event may mean, as bits that are stored with
 * the event. So readers of the past, of summaries and of rewinds find the few events that
 * matter. Events that were stored before there was a kind have none; their bodies tell.
 */
@NamedInterface("event")
@NullMarked
package dev.agentsessions.session.event;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
