package dev.agentsessions.session.artifact;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.artifact.ArtifactService.ArtifactException;

/**
 * What the newest version of an artifact has to be, so that a request changes it.
 *
 * @param isPresent whether there has to be a version; {@code null} if both will do
 * @param version the number of the newest version; {@code null} for any number
 * @param createTime when it was saved; {@code null} for any time. A name that was deleted
 * and saved again has the same numbers again
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
