/**
 * What sessions have spent: tokens by model, durations of turns, models and tools, and
 * costs if prices are configured. Dialects call
 * {@link dev.agentsessions.session.report.UsageService}. Nothing is summed up by an
 * append: the events are read when a caller asks, a bounded number for each request.
 *
 * <p>
 * Which events report an error. Dialects call
 * {@link dev.agentsessions.session.report.FailureService}. As for usage, the events are
 * read when a caller asks, a bounded number for each request.
 */
@NamedInterface("usage")
@NullMarked
package dev.agentsessions.session.report;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
