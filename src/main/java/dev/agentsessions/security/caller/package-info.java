/**
 * Who calls: the authenticated caller, their role, and whether the service authenticates
 * callers at all.
 */
@NamedInterface("caller")
@NullMarked
package dev.agentsessions.security.caller;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
