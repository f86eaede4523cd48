/** The meaning of a text: a vector that an embedding model gives it. */
@NamedInterface("meaning")
@NullMarked
package dev.agentsessions.search.meaning;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
