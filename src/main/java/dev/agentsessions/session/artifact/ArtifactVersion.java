package dev.agentsessions.session.artifact;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactException;
import dev.agentsessions.session.artifact.ArtifactService.Store.ArtifactContent;

/**
 * A version of an artifact, without its bytes.
 *
 * @param name the artifact
 * @param version its number, from 0
 * @param afterSeq the seq of the newest event of the session when it was saved; 0 for an
 * artifact of the user
 * @param createTime when it was saved, by the clock of the database
 * @param size the number of bytes
 * @param artifact what the client has saved
 * @param content its bytes; {@code null} for a reference
 */
public record ArtifactVersion(ArtifactName name, int version, long afterSeq, Instant createTime, long size,
		NewArtifact artifact, @Nullable ArtifactContent content) {

	/** The media type of {@link #isTakenBack() versions that are taken back}. */
	public static final String UNKNOWN_TYPE = "application/octet-stream";

	/**
	 * Returns whether a rewind has taken the artifact back, so that it loads as absent.
	 * Source: {@code rewind_session} of ADK Python 2.13, which saves no bytes of unknown
	 * type.
	 */
	public boolean isTakenBack() {
		return this.artifact.kind() == ArtifactKind.BYTES && this.size == 0
				&& UNKNOWN_TYPE.equals(this.artifact.mimeType());
	}

	/** Returns the version as a caller sees it, with its bytes as they are. */
	public ArtifactVersion seen(Secrets secrets) {
		return new ArtifactVersion(this.name, this.version, this.afterSeq, this.createTime, this.size,
				this.artifact.seen(secrets), this.content);
	}

	/** Returns the URI that other artifacts of the user may refer to. */
	public String canonicalUri() {
		return ArtifactReference.uri(this.name, this.version);
	}

	/** What a version is. The store keeps the ordinal numbers. */
	public enum ArtifactKind {

		/** Bytes with a media type: {@code inlineData} of a part. */
		BYTES,

		/** {@code text} of a part. */
		TEXT,

		/** A reference to a file or to another artifact: {@code fileData} of a part. */
		REFERENCE

	}

	/**
	 * What the newest version of an artifact has to be, so that a request changes it.
	 *
	 * @param isPresent whether there has to be a version; {@code null} if both will do
	 * @param version the number of the newest version; {@code null} for any number
	 * @param createTime when it was saved; {@code null} for any time. A name that was
	 * deleted and saved again has the same numbers again
	 */
	public record ArtifactPrecondition(@Nullable Boolean isPresent, @Nullable Integer version,
			@Nullable Instant createTime) {

		/** Every state of the artifact will do. */
		public static final ArtifactPrecondition NONE = new ArtifactPrecondition(null, null, null);

		/** There has to be a version. */
		public static final ArtifactPrecondition PRESENT = new ArtifactPrecondition(true, null, null);

		/** There must be no version. */
		public static final ArtifactPrecondition ABSENT = new ArtifactPrecondition(false, null, null);

		/**
		 * Refuses a change of an artifact that is not as the client expects it.
		 * @param newest its newest version; {@code null} if there is none
		 * @throws ArtifactException.Stale if the precondition does not hold
		 */
		public void check(@Nullable ArtifactVersion newest) {
			boolean holds = (this.isPresent == null || this.isPresent == (newest != null))
					&& (this.version == null || newest != null && newest.version() == this.version)
					&& (this.createTime == null || newest != null && newest.createTime().equals(this.createTime));
			if (!holds) {
				throw new ArtifactException.Stale(newest);
			}
		}

	}

}
