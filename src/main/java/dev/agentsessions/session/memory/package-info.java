/** Limits how much of the heap responses and request bodies may take. */
@NamedInterface("memory")
@NullMarked
package dev.agentsessions.session.memory;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
