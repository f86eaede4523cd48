/** Leases of sessions. */
@NullMarked
package dev.agentsessions.adk.lease;

import org.jspecify.annotations.NullMarked;
