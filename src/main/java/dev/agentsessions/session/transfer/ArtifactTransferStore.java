package dev.agentsessions.session.transfer;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactException;
import dev.agentsessions.session.transfer.SessionImport.ImportConflictException;

/** Exports and imports versions of artifacts, with their numbers and times. */
public interface ArtifactTransferStore {

	/**
	 * Returns some versions of artifacts, sorted by name and number.
	 * @param session the session whose artifacts to return; {@code null} for those of the
	 * user
	 * @param after the version before; {@code null} for the first ones
	 * @throws SessionException.NotFound if the session is deleted
	 */
	List<TransferredArtifact> versions(StateOwner user, @Nullable ExportedSession session,
			@Nullable TransferredArtifact after);

	/**
	 * Returns whether a version is stored.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws ImportConflictException if another one has its number
	 */
	boolean has(TransferredArtifact artifact);

	/**
	 * Begins to receive bytes. If they are not added in an hour, the store removes them.
	 */
	ArtifactUpload begin(StateOwner user);

	/**
	 * Stores a version.
	 * @param bytes its bytes; {@code null} if it has none, or if the user has equal bytes
	 * @return whether it was not stored before
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.InvalidArgument if the bytes have another digest, or the
	 * user has no equal bytes
	 * @throws ArtifactException.QuotaExceeded if a limit is exceeded
	 * @throws ImportConflictException if another one has its number
	 */
	boolean add(TransferredArtifact artifact, @Nullable ArtifactUpload bytes);

	/**
	 * A session whose events are exported.
	 *
	 * @param name its name
	 * @param sessionKey which session it is
	 * @param revision the number of its exported events. Versions that were saved after
	 * further events are left out
	 */
	record ExportedSession(SessionName name, UUID sessionKey, long revision) {
	}

	/** Bytes of an artifact that arrive in pieces. No version refers to them yet. */
	interface ArtifactUpload {

		/** Adds bytes. */
		void add(byte[] bytes);

		/** Drops the bytes. */
		void giveUp();

	}

}
