/**
 * Creates, finds, lists, changes and deletes sessions, and the state that sessions share
 * ({@link SessionService}); sessions as they were at an earlier moment, forks and rewinds
 * ({@link HistoryService}); leases ({@link LeaseService}); function calls that wait for
 * an answer ({@link PendingService}).
 *
 * <p>
 * <b>Rewinds.</b> A rewind ({@link HistoryService}) is an append. It reads the state of
 * the past, which no append changes, and the current state with its revision. It appends
 * the difference if the revision is still the same; otherwise it reads again. So
 * preconditions and limits hold for a rewind as for any append.
 *
 * <p>
 * <b>Leases.</b> At most one caller at a time holds the lease of a session. A
 * {@link LeaseService.Lease} is stored in four columns of the row of the session: number,
 * holder, end and exclusive. All are null until there is a lease. A caller that takes,
 * renews or releases the lease locks the row. An append locks the row too, so it sees
 * either the lease before or the lease after. The number is the fence: if an append waits
 * for the row until another holder has the lease, it is refused, however the end of its
 * lease compared.
 */
@NamedInterface("lifecycle")
@NullMarked
package dev.agentsessions.session.lifecycle;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
