package dev.agentsessions.session.artifact;

import java.util.UUID;

/**
 * Stored bytes.
 *
 * @param userKey identifies the user
 * @param blobKey identifies the bytes of the user
 * @param digest SHA-256 of the bytes, as Base64 for URLs without padding
 */
public record ArtifactContent(UUID userKey, UUID blobKey, String digest) {
}
