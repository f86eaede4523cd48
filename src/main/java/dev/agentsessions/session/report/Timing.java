package dev.agentsessions.session.report;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How often a model or a tool was called, and how long it took.
 *
 * @param name its name; blank for models that the senders do not name
 * @param calls the number of calls
 * @param failed the number of calls that failed
 * @param half half of the calls took this long at most; {@code null} if no call was
 * measured
 * @param most 95 of 100 calls took this long at most; {@code null} if no call was
 * measured
 */
public record Timing(String name, long calls, long failed, @Nullable Duration half, @Nullable Duration most) {

}
