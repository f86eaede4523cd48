package dev.agentsessions.session;

import java.time.Instant;

import dev.agentsessions.json.JsonText;

/**
 * One event of a session. Never changed once stored.
 *
 * @param seq its number in the session, from 1, without gaps; the revision of the session
 * right after it
 * @param commitTime when it was stored, by the server's clock; the last update time of
 * the session right after it
 * @param id unique within the session
 * @param body the whole event, names in camelCase
 */
public record Event(long seq, Instant commitTime, String id, JsonText body) {
}
