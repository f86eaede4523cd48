package dev.agentsessions.session.artifact;

import java.util.List;

/**
 * The artifacts of a session that a rewind takes back.
 *
 * @param seq the newest event that stays
 * @param artifacts those that have changed since this event
 */
public record RestoredArtifacts(long seq, List<RestoredArtifact> artifacts) {
}
