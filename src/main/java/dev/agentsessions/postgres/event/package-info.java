/**
 * The append path: the queue, the groups that share a transaction, the statements, and
 * every insert into {@code events}.
 *
 * <p>
 * <b>Groups.</b> A few writers ({@link GroupWriter}) take appends from one queue
 * ({@link AppendQueue}). Each takes all appends that wait at that moment. So a single
 * append is stored alone and at once, and under load many appends share one transaction
 * and one wait for the disk. Each append has its own outcome. The response is sent after
 * the commit. The queue is bounded by the memory that its appends take. An append that
 * waits too long is refused. No exception of a group ends its writer.
 *
 * <p>
 * <b>The statement.</b> {@link AppendStatement} does in one round trip, for all appends
 * of a group:
 * <ol>
 * <li>Locks the rows of the sessions, in the order of their keys. From here on it waits
 * at most 100 ms for a row.</li>
 * <li>Selects the appends whose precondition holds.</li>
 * <li>Updates their sessions: the new revision, and the new time, which is later than the
 * time before.</li>
 * <li>Inserts the events, with their revision as {@code seq}, and upserts the changed
 * keys of all scopes, in the order of the primary key. A second statement of the same
 * transaction deletes removed keys.</li>
 * </ol>
 * Nothing is read beforehand. Events that open or close function calls, and rewinds, cost
 * further statements of the same transaction ({@code PendingCallStatements}); an append
 * of any other event is one statement.
 *
 * <p>
 * <b>What is not stored.</b> Event ids are not looked up. An id that is already stored is
 * rare; it breaks the unique constraint, nothing of the group is stored, and its appends
 * are retried alone. {@link AppendDiagnosis} finds the reason why an append was not
 * stored. There may be no reason, because of another append of the group or of a writer
 * in between. Then {@link Appender} retries the append alone, at most ten times, so that
 * it costs the other appends nothing. A large event is stored alone from the start.
 *
 * <p>
 * <b>Locked rows.</b> A row that another transaction keeps locked delays only the appends
 * that need it. A group that has waited 100 ms for a row is rolled back.
 * {@link LockedRowsStatement} finds out which rows are locked. The appends that need one
 * of them, and all later ones that need it, wait in {@link BlockedAppends}; the others
 * are stored again. One thread tries the blocked appends, one row after the other, and
 * gives appends back to the groups as soon as their row is free. So only one group loses
 * 100 ms, however long a row is locked and however many sessions there are.
 *
 * <p>
 * <b>Batches of one client.</b> {@code events:batch} stores many events of one client in
 * one session, all or none. {@link BatchAppender} uses the same statement for all of
 * them. Only if that stored nothing, it reads which of the events are already stored,
 * locks the session, and stores the others or reports the reason.
 *
 * <p>
 * <b>Retries.</b> An event with the id of a stored one is compared with it, which may
 * take seconds for a large event. No transaction and no lock is held meanwhile.
 */
@NullMarked
package dev.agentsessions.postgres.event;

import org.jspecify.annotations.NullMarked;
