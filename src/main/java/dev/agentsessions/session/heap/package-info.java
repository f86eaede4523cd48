/** Limits how much of the heap responses and request bodies may take. */
@NamedInterface("heap")
@NullMarked
package dev.agentsessions.session.heap;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
