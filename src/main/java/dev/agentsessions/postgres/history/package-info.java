/**
 * Sessions at an earlier moment, and forks.
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
 */
@NullMarked
package dev.agentsessions.postgres.history;

import org.jspecify.annotations.NullMarked;
