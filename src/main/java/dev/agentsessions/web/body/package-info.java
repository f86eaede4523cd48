/**
 * Request bodies: how they are read, how large they may be, and how much memory they may
 * take.
 */
@NamedInterface("body")
@NullMarked
package dev.agentsessions.web.body;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
