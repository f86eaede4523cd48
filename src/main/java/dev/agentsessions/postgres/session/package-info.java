/**
 * The table {@code sessions}: its rows, and how one session is read.
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
 * ({@link dev.agentsessions.postgres.lanes.SharedReads}), except those with a condition
 * on time, which may take long. No statement finds an expired session.
 */
@NullMarked
package dev.agentsessions.postgres.session;

import org.jspecify.annotations.NullMarked;
