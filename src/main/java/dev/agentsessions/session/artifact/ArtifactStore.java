package dev.agentsessions.session.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;

/** Stores artifacts. Implemented by {@code postgres}. */
public interface ArtifactStore {

	/**
	 * Saves a version, which becomes visible as a whole or not at all.
	 * @param bytes its bytes, which the store reads to the end; {@code null} for a
	 * reference
	 * @param id identifies the save; {@code null} if it may not be repeated
	 * @return the version, with the number after the one before, or the version that the
	 * same save has stored before
	 * @throws SessionException.NotFound if the session does not exist
	 * @throws ArtifactException.OtherContent if a save with this id has stored other
	 * content
	 * @throws ArtifactException.Stale if the precondition does not hold
	 * @throws ArtifactException.QuotaExceeded if a limit is exceeded
	 * @throws IOException if the bytes do not arrive
	 */
	SavedArtifact save(ArtifactName name, NewArtifact artifact, @Nullable InputStream bytes,
			ArtifactPrecondition precondition, @Nullable UUID id) throws IOException;

	/**
	 * Finds a version.
	 * @param version its number; {@code null} for the newest
	 * @return the version; empty if there is none
	 * @throws SessionException.NotFound if the session does not exist
	 */
	Optional<ArtifactVersion> find(ArtifactName name, @Nullable Integer version);

	/**
	 * Returns all versions of an artifact, the oldest first.
	 * @throws SessionException.NotFound if the session does not exist
	 */
	List<ArtifactVersion> versions(ArtifactName name);

	/**
	 * Returns the newest versions of artifacts, sorted by name.
	 * @param session whose artifacts to list besides those of the user; {@code null} for
	 * those of the user only
	 * @param after names after this one
	 * @param limit the maximum number
	 * @throws SessionException.NotFound if the session does not exist
	 */
	List<ArtifactVersion> newest(StateOwner user, @Nullable SessionKey session, String after, int limit);

	/**
	 * Deletes an artifact with all its versions, or one version.
	 * @param version the number of the version; {@code null} for all
	 * @return the number of deleted versions
	 * @throws SessionException.NotFound if the session does not exist
	 * @throws ArtifactException.Stale if the precondition does not hold
	 */
	int delete(ArtifactName name, @Nullable Integer version, ArtifactPrecondition precondition);

	/**
	 * Reads a block of the bytes of a version, and takes memory for it before.
	 * @param version a version that has bytes
	 * @param position the index of the first byte, from 0
	 * @return at least one byte, at most a megabyte
	 * @throws ArtifactException.NotFound if they are deleted
	 */
	byte[] read(ArtifactVersion version, long position);

}
