package dev.agentsessions.watch;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionVersion;

/**
 * The values of an existing session that a watch compares.
 *
 * @param version the current version of the session
 * @param expireTime its expiry, {@code null} if it does not expire
 */
public record LiveSession(SessionVersion version, @Nullable Instant expireTime) {
}
