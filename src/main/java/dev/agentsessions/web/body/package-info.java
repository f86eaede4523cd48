/**
 * Request bodies: reads them, and limits their size and the memory that they take.
 */
@NamedInterface("body")
@NullMarked
package dev.agentsessions.web.body;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
