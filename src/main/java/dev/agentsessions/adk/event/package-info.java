/**
 * Appends, lists and watches events; serves parts of events as files.
 *
 * <p>
 * The seqs of the events of a session are written after the events, which are streamed.
 * {@link SeqList} remembers the missing seqs meanwhile, one bit each: nothing for a whole
 * history, at most 256 kB for any part of a million events.
 */
@NullMarked
package dev.agentsessions.adk.event;

import org.jspecify.annotations.NullMarked;
