package dev.agentsessions.session.artifact;

/**
 * The result of a save.
 *
 * @param version the version
 * @param replayed whether an earlier request has saved it
 */
public record SavedArtifact(ArtifactVersion version, boolean replayed) {
}
