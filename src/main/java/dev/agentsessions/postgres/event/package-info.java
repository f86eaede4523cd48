/**
 * The table {@code events}: its rows, and the statements that list them.
 *
 * <p>
 * A list of events follows the index {@code (session_key, seq)} after a seq. Its page
 * tokens name the session by its key, and so does each further chunk of a response in the
 * Vertex AI dialect. If the session was deleted meanwhile, the next page is a 404, or the
 * response is cut off, even if another session has the same name by then: no list begins
 * with one session and ends with another.
 *
 * <p>
 * A long history is read in chunks of about 260,000 bytes while the response is written,
 * up to the revision that the session had at the start. So it needs as little memory as a
 * short one, and no connection waits for a slow client
 * (docs/adr/0011-histories-are-streamed.md). If the session is deleted meanwhile, the
 * connection is cut, so that no client takes the half for the whole. The column {@code
 * size} has the bytes of a body; for events that an older version stored, the characters.
 *
 * <p>
 * {@link SelectedEventsReader} finds each event by its id with one look into the index.
 * The first statement tells which events are stored and returns the first chunk of
 * bodies. Further chunks are read while the response is written.
 */
@NullMarked
package dev.agentsessions.postgres.event;

import org.jspecify.annotations.NullMarked;
