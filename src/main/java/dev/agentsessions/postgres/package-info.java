/**
 * The store: sessions in tables of PostgreSQL. No other package imports this one.
 *
 * <p>
 * <b>JPA.</b> {@code sessions}, {@code events} and {@code state} are entities. One class
 * says what a row means, whichever statement has read it: {@code SessionEntity} how it
 * becomes a session, {@code EventEntity} how it becomes an event, {@code StateEntity}
 * which key and value it is. JPA reads and writes rows and lists of rows: it changes
 * display name, labels and expiry, lists and locates sessions, reads single events and
 * shared state, and finds out why an append was refused. Statements of their own, through
 * {@code JdbcTemplate}, do the following:
 * <ul>
 * <li>Appends. One statement checks the precondition, updates the session, stores the
 * event and changes the state, for up to 64 appends at once. JPA would read each session
 * before it writes it: more round trips, and a lock for as long as they take.</li>
 * <li>What is streamed: a session with its history, and events in chunks. A chunk has up
 * to a thousand rows that are written out and forgotten. JPA would keep and track each
 * entity until the chunk ends. And the statement defers the body of a large event until
 * there is memory for it ({@link HeapBoundedReads}), so its rows are no whole rows.</li>
 * <li>Many rows at once: the state of a page of sessions in batches of bounded size,
 * inserts, upserts of state in the order of the key, and deletions. They name sets of
 * keys, for which JPA would send one statement each.</li>
 * <li>What is computed from a history: the state and the view as of an event, and forks.
 * The database reads the bodies, and few of them leave it.</li>
 * </ul>
 *
 * <p>
 * <b>Memory.</b> {@link CountingJdbcTemplate} counts the rows of each statement as part
 * of the response, so a new statement needs no code for it. Only what may be large in one
 * row is read by {@link HeapBoundedReads}. What JPA lists is small, or its caller counts
 * it.
 *
 * <p>
 * <b>Time-outs.</b> {@link DatabaseTimeouts} bounds every wait. The driver itself cancels
 * a statement that takes too long, and closes a connection on which nothing arrives. So
 * the service sends no time-out to the server in advance: that would cost a round trip,
 * and would not work behind a pool that hands out connections by transaction.
 * {@link SureJdbcTemplate} fails if a time-out has ended the wait of a commit for a
 * synchronous replica, because PostgreSQL then reports success. {@link Transactions}
 * retries a deadlock or a serialization failure, after which nothing was written, at most
 * five times; then the response is 503.
 *
 * <p>
 * <b>Connections.</b> {@link Transactions} gives each statement a connection of a lane.
 * {@code postgres.lanes.Lanes} divides the pool: writes that are in no group of appends
 * (large events, PATCH, {@code events:batch}, creations, shared state, deletions) leave
 * connections for groups of appends, for writes that have met a locked row, and for
 * reads. Work whose cost grows with the length of a history has a quarter of the
 * connections.
 *
 * <p>
 * <b>Distributed tables.</b> With {@code agent-sessions.distributed}, one machine
 * executes each statement that the service sends all the time. What is done in another
 * way then stands in {@code postgres.distributed}, and nowhere else
 * (docs/adr/0015-on-citus-a-statement-keeps-to-one-session.md).
 */
@ApplicationModule(allowedDependencies = { "json", "search", "search :: *", "session", "session :: *", "startup",
		"state", "watch" })
@NullMarked
package dev.agentsessions.postgres;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
