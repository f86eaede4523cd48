/**
 * The store: sessions in tables of PostgreSQL. No other package imports this one.
 *
 * <p>
 * <b>JPA and SQL.</b> One class says what a row means, whichever statement has read it:
 * {@code SessionEntity} how it becomes a session, {@code EventEntity} how it becomes an
 * event, {@code StateEntity} which key and value it is. JPA reads and writes single rows
 * and short lists of rows. Queries of repositories are SQL, because the parsers of JPQL
 * took a fifth of a start. No entity has a {@code Version}: a transaction locks a row
 * before it reads and changes it. There are four reasons for statements without JPA:
 * <ul>
 * <li><em>Hot.</em> One statement checks the precondition of an append, updates the
 * session, stores the event and changes the state, for up to 64 appends at once. JPA
 * would read each session before it writes it: more round trips, and a lock for as long
 * as they take.</li>
 * <li><em>Streamed.</em> A chunk of a history has up to a thousand rows that are written
 * out and forgotten. JPA would keep and track each entity until the chunk ends. And the
 * statement defers a large value until there is memory for it ({@link HeapBoundedReads}),
 * so its rows are no whole rows.</li>
 * <li><em>Set-wise.</em> Batches of bounded size, inserts, upserts in the order of the
 * key, copies and deletions name sets of keys, for which JPA would send one statement
 * each. What is computed from a history, such as the state as of an event, is here, too:
 * the database reads the bodies, and few of them leave it.</li>
 * <li><em>Counted.</em> A list of large rows ends when there is no memory for its next
 * row. JPA would read all rows before it counts them.</li>
 * </ul>
 * They use {@code JdbcClient} where that is shorter and nothing is measured, else
 * {@code JdbcTemplate}. Both execute through {@link CountingJdbcTemplate}.
 *
 * <p>
 * <b>Tables.</b> Each table, whether JPA maps it, and why not:
 * <ul>
 * <li>{@code sessions}: entity. JPA changes display name, labels, expiry and lease, lists
 * and locates sessions, goes from user to user, and finds out why an append was refused.
 * Without it: appends (hot), a session with its history (streamed), removals, and lists
 * of users with their numbers of sessions (set-wise).</li>
 * <li>{@code events}: entity. JPA reads events by their ids. Without it: appends (hot),
 * histories and lists (streamed), copies, removals, usage and failures (set-wise).</li>
 * <li>{@code state}: entity. JPA reads shared state. Without it: changes and the state of
 * a page of sessions (set-wise), the state of a session with its history (streamed).</li>
 * <li>{@code initial_state}: SQL. A session, a fork or an import writes all keys at once
 * (set-wise), and a read defers the values (streamed).</li>
 * <li>{@code pending_calls}: SQL. An append opens and closes calls, a rewind opens those
 * again that waited before (hot and set-wise). A list joins the sessions (counted).</li>
 * <li>{@code memories}: SQL. One statement stores a fact with its words, replaces a fact
 * that has expired, and returns the row with the time of the database, which JPA cannot
 * do in one. Lists are counted, and the search ranks facts (set-wise). An entity would
 * only be a second way to read the rows that these statements return.</li>
 * <li>{@code forgotten}: SQL. One statement inserts a digest or moves its time, and the
 * search joins it (set-wise).</li>
 * <li>{@code said}, {@code said_sessions}, {@code said_vectors}: SQL. A search fills them
 * in parts and ranks them (hot and set-wise).</li>
 * <li>{@code secrets}: SQL. The database makes a value up, unless another replica was
 * first. An entity would need a repository with the same two statements.</li>
 * <li>{@code signed_out_cookies}: SQL. One statement signs out and deletes old rows
 * (set-wise), the other one only asks whether a row exists. An entity would need a
 * repository with the same two statements.</li>
 * <li>{@code keys_to_sweep}: SQL. Replicas lock keys in their order, skip locked ones,
 * and compare times with the clock of the database (set-wise).</li>
 * <li>{@code artifacts}, {@code artifact_versions}: SQL. A save takes the next number and
 * stores a version in two round trips (hot); copies and removals (set-wise).</li>
 * <li>{@code artifact_blobs}, {@code artifact_chunks}: SQL. Bytes are written and read in
 * chunks (streamed), and deleted in batches (set-wise).</li>
 * <li>{@code buckets}, {@code replicas}, {@code app_state_changes}: SQL. Only a replica
 * with several servers uses them: it reads the first one again and again, has a row of
 * the second one, and a change of an app inserts and deletes a row of the third one
 * (set-wise).</li>
 * <li>{@code session_names}: SQL. On Citus only. A creation takes a name unless another
 * one has it, in one statement (hot).</li>
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
 * {@link CountingJdbcTemplate} fails if a time-out has ended the wait of a commit for a
 * synchronous replica, because PostgreSQL then reports success. {@link Transactions}
 * retries a deadlock or a serialization failure, after which nothing was written, at most
 * five times; then the response is 503.
 *
 * <p>
 * <b>Connections.</b> {@link Transactions} gives each statement a connection of a lane.
 * {@link Lanes} divides the pool: writes that are in no group of appends (large events,
 * PATCH, {@code events:batch}, creations, shared state, deletions) leave connections for
 * groups of appends, for writes that have met a locked row, and for reads. Work whose
 * cost grows with the length of a history has a quarter of the connections. {@link Lanes}
 * has the table of all lanes, {@link Lane} the rules of each.
 *
 * <p>
 * <b>Distributed tables.</b> With {@code agent-sessions.distributed}, one machine
 * executes each statement that the service sends all the time. What is done in another
 * way then stands in {@code postgres.citus}, and nowhere else
 * (docs/adr/0015-on-citus-a-statement-keeps-to-one-session.md).
 *
 * <p>
 * <b>Several servers.</b> With {@code agent-sessions.servers}, each server has all beans
 * of this package once more, and {@code postgres.servers} sends each call to the server
 * of its user (docs/adr/0030-users-on-several-servers.md).
 */
@ApplicationModule(allowedDependencies = { "json", "search", "search :: *", "session", "session :: *", "startup",
		"state", "watch" })
@NullMarked
package dev.agentsessions.postgres;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
