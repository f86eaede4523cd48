/**
 * Leases: at most one caller at a time holds the lease of a session.
 *
 * <p>
 * A {@link Lease} is stored in four columns of the row of the session: number, holder,
 * end and exclusive. All are null until there is a lease. A caller that takes, renews or
 * releases the lease locks the row. An append locks the row too, so it sees either the
 * lease before or the lease after. The number is the fence: if an append waits for the
 * row until another holder has the lease, it is refused, however the end of its lease
 * compared.
 */
@NamedInterface("lease")
@NullMarked
package dev.agentsessions.session.lease;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
