/**
 * Which events report an error. Dialects call
 * {@link dev.agentsessions.session.failure.FailureService}. As for usage, the events are
 * read when a caller asks, a bounded number for each request.
 */
@NamedInterface("failure")
@NullMarked
package dev.agentsessions.session.failure;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
