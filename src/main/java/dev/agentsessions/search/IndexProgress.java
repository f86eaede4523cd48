package dev.agentsessions.search;

import org.jspecify.annotations.Nullable;

/**
 * How far the index of an app was brought up to date.
 *
 * @param users the number of users that are done
 * @param events the number of events that were indexed
 * @param lastUser the last user that is done; {@code null} if none is
 * @param more whether there are further users
 */
public record IndexProgress(int users, long events, @Nullable String lastUser, boolean more) {

}
