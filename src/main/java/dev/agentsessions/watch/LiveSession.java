package dev.agentsessions.watch;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionVersion;

/**
 * What a watch has to know of a session that is there.
 *
 * @param version which version of the session it is now
 * @param expireTime when it ends; {@code null} if it does not
 */
public record LiveSession(SessionVersion version, @Nullable Instant expireTime) {
}
