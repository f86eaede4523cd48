/**
 * Shows clients the events of a session as they are stored, whichever replica stores
 * them. Knows neither HTTP nor SQL: a dialect is the {@link Watch.WatchListener} and
 * opens watches at {@link dev.agentsessions.watch.WatchService}; a store is the
 * {@link WatchService.Store}.
 *
 * <p>
 * A {@link Watch} knows the key of its session and the newest event that its client has
 * received. {@link WatchRegistry} has all watches of the replica, by session. A session
 * is checked for new events in three cases: this replica has appended to it or deleted
 * it; the connection of a client takes data again; or its poller has found a new
 * revision. The poller asks every 450 ms for the revisions of all watched sessions with
 * one query. (A connection that listens to notifications would not work behind a pool
 * that hands out connections by transaction.)
 *
 * <p>
 * Then one of two threads runs {@link WatchedSession}: it reads a chunk of the events
 * after each seq at which watches are, shows it to all watches there, and goes on with
 * the next session. So a thousand watches of one session cost one read, and a client that
 * catches up with a long history does not hold up the others. No thread waits for a
 * client. Without watches there is no thread and no query, and an append costs one look
 * at an empty map.
 */
@ApplicationModule(allowedDependencies = { "session", "session :: *" })
@NullMarked
package dev.agentsessions.watch;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
