/**
 * How sessions begin, change, are listed, copied, moved and removed: creations, details,
 * lists, the past, forks, export and import, deletion, erasure and expiry.
 *
 * <p>
 * <b>The past.</b> The state after an event is the initial state and the deltas of the
 * events up to it, the last value of each key ({@link PastStateStatement}). The deltas
 * stand in the bodies of events that change state. The database reads these bodies, and
 * only the state leaves it. This is heavy work ({@code Lanes}). Stored events never
 * change, so neither does the past.
 *
 * <p>
 * <b>Forks.</b> {@link SessionForker} takes a new key, copies the events under it in
 * transactions of at most 16 MiB or 5,000 events, and makes it a session with the last
 * transaction. It locks nothing of its source: stored events do not change, and they are
 * removed only after the row of their session. So the last transaction checks whether
 * that row still exists. If it does, all events were copied. If not, the response is 404,
 * and the copy is swept. The commit times of the copied events begin anew, one
 * microsecond after the other, as in a session that is created with events: a fork is
 * younger than its source. Pending calls are copied as they were at that event: calls
 * that a later event has closed still wait. A fork is heavy work, so at most a quarter of
 * the connections copies at once. One fork copies at most {@code
 * agent-sessions.limits.fork-size}.
 *
 * <p>
 * <b>Lists.</b> A list of sessions follows the index
 * {@code (app_key, user_key, last_update_time, id)} from the position in the page token.
 * In the Vertex AI dialect, a list by {@code
 * create_time}, or of all users by time, has no index, because every append would have to
 * pay for it: the sessions of the user or of the app are sorted for every page.
 * {@link SessionPageReader.StatePageReader} reads the state with further queries in the
 * same transaction (isolation level: repeatable read), one query for a page that is not
 * large. A page ends early when it has as much as memory may hold.
 *
 * <p>
 * A list of sessions with an event that meets a condition ({@link MatchReader}) takes
 * sessions in the same orders and examines their events from the newest one on. The work
 * of a page is bounded, so a page may end early, also within a session
 * (docs/adr/0019-a-list-examines-a-bounded-number-of-events.md).
 *
 * <p>
 * A list of users ({@link AppsAndUsers.UserPageReader}) follows the same index. One
 * recursive statement jumps from each user to the next, and counts the newest sessions of
 * each, at most 1,001. Its transaction forbids sorts, because with other statistics
 * PostgreSQL would read all of an app to sort it. So a page reads about 50,000 rows at
 * most, however many sessions a user has. Like every list, it steps over expired sessions
 * one by one until the purge has removed them.
 *
 * <p>
 * <b>Removal.</b> Deletion, erasure of a user and the purge of expired sessions remove
 * sessions in the same way ({@link SessionRemover}). One short transaction deletes the
 * row of the session and adds its key to {@code keys_to_sweep}, however large the session
 * is. After its commit the session is gone and its name is free; an append that waited
 * for the row finds no session. Then {@link KeySweeper} deletes the rows under the key,
 * about a thousand events in a transaction (fewer if they are long), and deletes the key
 * with the last rows. The request that removes the session does this. If it is
 * interrupted, the next sweep continues: each replica looks once a minute, locks the keys
 * that it works on, and skips keys that another replica has locked.
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
 * line there. A test compares the list with the tables of the database, and others fork,
 * delete, erase, rewind, export and import what has rows in each of them.
 * {@link OwnerlessRows} looks once a day for rows whose session is gone.
 *
 * <p>
 * <b>Transfer.</b> An import writes a small session in one transaction. It writes a
 * larger one under a new key, about a thousand events in a transaction, and the last
 * transaction makes it a session. Each transaction moves the time in
 * {@code keys_to_sweep} an hour ahead. An import that ends early leaves its key to the
 * sweep. An import that pauses for more than an hour loses its key and gives up.
 */
@NullMarked
package dev.agentsessions.postgres.lifecycle;

import org.jspecify.annotations.NullMarked;
