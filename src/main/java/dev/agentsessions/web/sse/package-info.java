/** Server-sent events. */
@NamedInterface("sse")
@NullMarked
package dev.agentsessions.web.sse;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
