package dev.agentsessions.session.artifact;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;

/** Failures of requests about artifacts. */
public final class ArtifactException {

	private ArtifactException() {
	}

	/** There is no such artifact or version, or a rewind has taken it back. */
	public static final class NotFound extends SessionException {

		public NotFound() {
			super(Kind.ARTIFACT_NOT_FOUND, "Artifact not found");
		}

	}

	/** The newest version is not the one that the caller expects. Nothing was changed. */
	public static final class Stale extends SessionException {

		/**
		 * Creates the exception.
		 * @param newest the newest version; {@code null} if there is none
		 */
		public Stale(@Nullable ArtifactVersion newest) {
			super(Kind.STALE_ARTIFACT, (newest != null) ? "The newest version of the artifact is " + newest.version()
					: "The artifact does not exist");
		}

	}

	/** The same save was sent before, with other content. Nothing was changed. */
	public static final class OtherContent extends SessionException {

		/**
		 * Creates the exception.
		 * @param version the number of the version that the first one has saved
		 */
		public OtherContent(int version) {
			super(Kind.ALREADY_EXISTS, "Version " + version
					+ " of the artifact was saved with the same Idempotency-Key, but not with the same content");
		}

	}

	/** The session or the user has no room for the version. Nothing was stored. */
	public static final class QuotaExceeded extends SessionException {

		/**
		 * Creates the exception.
		 * @param owner who has no room
		 * @param limit the limit
		 * @param unit the unit of the limit
		 * @param setting the setting of the limit
		 */
		public QuotaExceeded(String owner, long limit, String unit, String setting) {
			super(Kind.QUOTA_EXCEEDED, "%s may have %d %s at most (%s)".formatted(owner, limit, unit, setting));
		}

	}

}
