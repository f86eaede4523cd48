/**
 * Limits how much of the heap requests may take, so that no load ends the process.
 *
 * <p>
 * <b>Parts.</b> {@link HeapBudget.HeapShare} divides 85 % of the heap into fixed parts,
 * and each has one user. Connections, active requests, watches and caches have a maximum
 * number of entries, which follows from their part. Bodies, imports, appends, reads and
 * responses are of any size: they take bytes from a {@link HeapBudget} and give them
 * back.
 *
 * <p>
 * <b>The way of a request.</b>
 * <ol>
 * <li>Its connection and its thread are counted before anything is read
 * ({@code web.ConnectionLimits}).
 * <li>Its body takes bytes as it arrives, and those of as many tokens as it could have.
 * When its tokens are counted, it gives back the rest ({@code web.RequestHeapFilter};
 * {@code JsonLinesReader} for imports).
 * <li>An append that waits to be stored counts in its queue
 * ({@code postgres.event.GroupCommit}).
 * <li>Rows are counted while they are read, by the template that executes all statements
 * ({@code postgres.CountingJdbcTemplate}). A statement whose rows may be large first asks
 * for their sizes ({@code postgres.HeapBoundedReads}).
 * <li>What a dialect makes of a large event counts until it is written
 * ({@link ResponseHeap.TranslationCost}).
 * <li>The bytes of the response count until the client has read them
 * ({@code web.CountedResponse}); those of a watch in {@code web.SseConnections}.
 * </ol>
 *
 * <p>
 * <b>Waiting.</b> A request that does not get its bytes within 5 seconds gets 503 with
 * {@code Retry-After}. Data that is in memory already is counted without waiting
 * ({@link ResponseHeap#count}), because a thread that waits would still use it. Large
 * reads leave half of their part to such data.
 */
@NamedInterface("heap")
@NullMarked
package dev.agentsessions.session.heap;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
