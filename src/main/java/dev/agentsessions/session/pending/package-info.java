/** Function calls that wait for an answer. */
@NamedInterface("pending")
@NullMarked
package dev.agentsessions.session.pending;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
