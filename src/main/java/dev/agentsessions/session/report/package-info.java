/**
 * What sessions have spent: tokens by model, durations of turns, models and tools, and
 * costs if prices are configured ({@link UsageService}). Nothing is summed up by an
 * append: the events are read when a caller asks, a bounded number for each request.
 *
 * <p>
 * Which events report an error ({@link FailureService}): these events, too, are read when
 * a caller asks.
 */
@NamedInterface("report")
@NullMarked
package dev.agentsessions.session.report;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
