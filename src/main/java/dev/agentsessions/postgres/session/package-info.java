/**
 * How a session is read: the tables {@code sessions}, {@code events} and
 * {@code pending_calls}, the view of a model, leases and watches. Appends stand in
 * {@code postgres.event}, state in {@code postgres.state}.
 *
 * <p>
 * <b>One key, one life.</b> The key of a session is made when the session is created, and
 * no other session ever has it (docs/adr/0017-a-key-belongs-to-one-life.md). A digest of
 * the names finds it. {@link SessionKeys} remembers keys in each replica, and looks again
 * when a statement finds no session under the remembered key. All other rows of a session
 * stand under this key. A request reaches them only through the row of the session, so no
 * request finds rows under a key without such a row.
 *
 * <p>
 * <b>Reads.</b> One statement reads the row of a session, the state of its three owners
 * and its events ({@link FindSessionStatement}), so they are of one moment. It finds the
 * newest events by the revision, along the primary key: the last 50 of 100,000 cost what
 * the last 50 of 100 cost. Reads that wait at the same moment share a statement
 * ({@link dev.agentsessions.postgres.SharedReads}), except those with a condition on
 * time, which may take long. No statement finds an expired session.
 *
 * <p>
 * <b>Pending calls.</b> The table {@code pending_calls} has the function calls that wait
 * for an answer. A row is valid from one event up to another, so the table also has the
 * calls that waited at any earlier moment. Function calls that begin to wait, answers of
 * users, and rewinds change it. {@link PendingCallStatements} does this by further
 * statements of the transaction that stores the event, whichever way the event is stored.
 *
 * <p>
 * <b>Events.</b> A list of events follows the index {@code (session_key, seq)} after a
 * seq. Its page tokens name the session by its key, and so does each further chunk of a
 * response in the Vertex AI dialect. If the session was deleted meanwhile, the next page
 * is a 404, or the response is cut off, even if another session has the same name by
 * then: no list begins with one session and ends with another.
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
 *
 * <p>
 * <b>Context.</b> Which events of a session a model sees ({@code view=context}): no event
 * that a rewind takes back; no event that a summary replaces; but a call that waits, the
 * call of each visible answer, and the answers to each visible call.
 *
 * <p>
 * {@link ContextReader} first reads the session and its state, with the fact whether any
 * event rewinds or summarises; then the seqs that remain ({@link ContextViews}); then the
 * events of these seqs, along the primary key, in chunks. A partial index finds the
 * events that rewind or summarise ({@link HistoryEdits}).
 *
 * <p>
 * A view may have more events than ADK shows to a model, because the agent filters again:
 * it never has fewer. So events that are stored after a summary are visible whatever
 * their times are, and several answers to one call are all visible.
 *
 * <p>
 * Reads for watches: the revisions of many sessions at once.
 */
@NullMarked
package dev.agentsessions.postgres.session;

import org.jspecify.annotations.NullMarked;
