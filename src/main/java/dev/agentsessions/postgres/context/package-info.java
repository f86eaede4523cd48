/**
 * Which events of a session a model sees: rewinds and compactions resolved ({@code
 * view=context}).
 *
 * <p>
 * {@link ContextReader} first reads the session and its state, with the fact whether any
 * event rewinds or compacts; then the seqs that remain; then the events of these seqs,
 * along the primary key, in chunks. A partial index finds the events that rewind or
 * compact.
 *
 * <p>
 * {@link ContextViews} computes the remaining seqs in memory from the time and the kind
 * of each event ({@link ContextIndex}). The time that this takes grows with the number of
 * events and summaries. Stored events never change, so a result stays true: it is
 * remembered, in at most a twentieth of the heap, and later events are added to it.
 *
 * <p>
 * Bodies are read only of rewinds and summaries, of events whose times lie within
 * microseconds of the begin or end of a summary, and of events with function calls and
 * answers that no summary covers. {@link FunctionCallSearch} looks for the calls that
 * these need, back from the newest event, in at most 64 MiB. It finds an older call that
 * waited for an answer in {@code pending_calls}. Reading more than 5,000 further events
 * takes a permit of {@code HeavyReads}.
 */
@NullMarked
package dev.agentsessions.postgres.context;

import org.jspecify.annotations.NullMarked;
