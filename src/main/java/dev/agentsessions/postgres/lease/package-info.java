/** Leases of sessions. */
@NullMarked
package dev.agentsessions.postgres.lease;

import org.jspecify.annotations.NullMarked;
