package dev.agentsessions.session.transfer;

import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.transfer.SessionImport.ImportConflictException;

/**
 * A version of an artifact in an export.
 *
 * @param version the version; in an import without stored bytes
 * @param digest SHA-256 of its bytes, as Base64 for URLs without padding; {@code null} if
 * no bytes are stored: for a reference, and for an artifact that is taken back
 */
public record TransferredArtifact(ArtifactVersion version, @Nullable String digest) {

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
				this.version.afterSeq(), this.version.createTime(), this.version.size(), artifact, null), this.digest);
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
			throw new ImportConflictException("The version exists with other content, saved at " + stored.createTime());
		}
	}

}
