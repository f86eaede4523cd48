package dev.agentsessions.session.transfer;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactException;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.artifact.NewArtifact;
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

	/**
	 * A version of an artifact in an export.
	 *
	 * @param version the version; in an import without stored bytes
	 * @param digest SHA-256 of its bytes, as Base64 for URLs without padding;
	 * {@code null} if no bytes are stored: for a reference, and for an artifact that is
	 * taken back
	 */
	record TransferredArtifact(ArtifactVersion version, @Nullable String digest) {

		private static final Pattern SHA_256 = Pattern.compile("[A-Za-z0-9_-]{43}");

		/**
		 * Checks that the values fit each other.
		 * @throws SessionException.InvalidArgument if they do not
		 */
		public TransferredArtifact {
			boolean reference = version.artifact().kind() == ArtifactKind.REFERENCE;
			if (reference == (version.artifact().fileUri() == null)) {
				throw new SessionException.InvalidArgument("fileUri", "must be there exactly for a reference");
			}
			if (digest == null && (version.size() > 0 || !reference && !version.isTakenBack())) {
				throw new SessionException.InvalidArgument("digest", "is required: the version has bytes");
			}
			if (digest != null && (reference || !SHA_256.matcher(digest).matches())) {
				throw new SessionException.InvalidArgument("digest",
						"must be the SHA-256 of the bytes, as Base64 for URLs without padding, and absent for a reference");
			}
		}

		TransferredArtifact seen(Secrets secrets) {
			return new TransferredArtifact(this.version.seen(secrets), this.digest);
		}

		/** Returns the same version for another user. */
		TransferredArtifact with(NewArtifact artifact) {
			return new TransferredArtifact(new ArtifactVersion(this.version.name(), this.version.version(),
					this.version.afterSeq(), this.version.createTime(), this.version.size(), artifact, null),
					this.digest);
		}

		/**
		 * Checks that a stored version is this one, whatever its display name is.
		 * @throws ImportConflictException if it is another one
		 */
		public void checkSame(ArtifactVersion stored) {
			NewArtifact one = this.version.artifact();
			NewArtifact other = stored.artifact();
			String storedDigest = (stored.content() != null) ? stored.content().digest() : null;
			if (one.kind() != other.kind() || !Objects.equals(one.mimeType(), other.mimeType())
					|| !Objects.equals(one.fileUri(), other.fileUri()) || !Objects.equals(this.digest, storedDigest)) {
				throw new ImportConflictException(
						"The version exists with other content, saved at " + stored.createTime());
			}
		}

	}

}
