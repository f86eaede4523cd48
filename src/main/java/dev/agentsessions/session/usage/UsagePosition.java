package dev.agentsessions.session.usage;

import java.util.UUID;

/**
 * Up to where events are counted. Sessions are read in the order of their ids.
 *
 * @param sessionId the id of the session
 * @param birth the birth of the session
 * @param seq the seq of the last event that is counted
 */
public record UsagePosition(String sessionId, UUID birth, long seq) {

}
