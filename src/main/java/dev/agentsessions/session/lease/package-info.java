/** Leases: at most one caller at a time holds the lease of a session. */
@NamedInterface("lease")
@NullMarked
package dev.agentsessions.session.lease;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
