/**
 * Deletes, erases and expires sessions, and sweeps the rows they leave ({@code
 * keys_to_sweep}).
 *
 * <p>
 * Deletion, erasure of a user and the purge of expired sessions remove sessions in the
 * same way ({@link SessionRemover}). One short transaction deletes the row of the session
 * and adds its key to {@code keys_to_sweep}, however large the session is. After its
 * commit the session is gone and its name is free; an append that waited for the row
 * finds no session. Then {@link KeySweeper} deletes the rows under the key, about a
 * thousand events in a transaction (fewer if they are long), and deletes the key with the
 * last rows. The request that removes the session does this. If it is interrupted, the
 * next sweep continues: each replica looks once a minute, locks the keys that it works
 * on, and skips keys that another replica has locked.
 *
 * <p>
 * {@link KeysToSweep} has, with each key, the time from which on nothing writes under it.
 * A fork or an import that still writes moves this time an hour ahead with each
 * transaction.
 *
 * <p>
 * The purge removes expired sessions once an hour ({@code
 * agent-sessions.expiry.purge-interval}; with 0 they stay), a hundred at a time, by an
 * index on the expiry. It skips rows that another transaction has locked. A creation with
 * the name of an expired session removes the old row and inserts the new one in one
 * transaction.
 *
 * <p>
 * {@link UserEraser} removes the sessions of a user, then the rows under other keys of
 * the user: it stops imports and forks that still write for this user, and sweeps what
 * removals have left. A fork that is about to end keeps its key locked until then, so the
 * erasure looks for forks after that. Last it deletes the state that the sessions of the
 * user shared.
 *
 * <p>
 * {@link OwnedTables} lists each table whose rows have an owner, and what it owes: to be
 * swept, erased, forked, rewound, exported and imported with a session, a user or an app.
 * What is the same for many tables follows from their descriptions. What is peculiar to a
 * table, such as the bytes that several versions of artifacts share, is code of its
 * package, and its description says so. A new table needs a migration, its package, and a
 * line there: a test compares the list with the tables of the database, and another one
 * forks, deletes and erases what has rows in each of them. {@link OwnerlessRows} looks
 * once a day for rows whose session is gone.
 */
@NullMarked
package dev.agentsessions.postgres.removal;

import org.jspecify.annotations.NullMarked;
