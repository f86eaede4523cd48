/** Inline data of events, answered as files. */
@NamedInterface("part")
@NullMarked
package dev.agentsessions.web.part;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
